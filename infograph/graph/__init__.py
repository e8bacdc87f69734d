"""Communities of a weighted graph: which nodes are more densely tied to each other than chance would have it.

In:  nodes as numbers, edges as arrays of numbers and weights.
Out: communities as arrays of labels, level under level, and their modularity. All functions are pure, and the same
graph and seed give the same labels on every machine.

sources, targets, weights ─weighted_graph▶ WeightedGraph ─communities▶ labels ─modularity▶ quality
                                              └─community_levels▶ CommunityLevel…

`weighted` checks the edges and turns weights into whole numbers, `leiden` has the phases of the algorithm, `sweeps`
the first of them for large graphs, `levels` looks into large communities. Never import another
stage or read or write a file here.
"""
