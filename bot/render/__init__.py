"""From values to what Discord shows: embeds, sentences, names. Nothing here reads, writes or waits."""
