"""The engine without a model: enumerate hypotheses, measure each, rank them, mend the best."""
