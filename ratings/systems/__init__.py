"""The published rating rules, one pure module for each: states before a game in, states after it out."""
