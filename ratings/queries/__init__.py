"""The readers: games, boards and profiles as the club sees them. They write nothing."""
