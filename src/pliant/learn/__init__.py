"""Tasks that are learnt: many scenes in a batch, acted on, seen and rewarded."""
