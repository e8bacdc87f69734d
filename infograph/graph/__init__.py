"""The graph of entities: the names of a tree, which of them occur together, and the communities that they form.

In:  records of the names that each document has (`DocumentEntities`), by whatever means they were found.
Out: entities with their chunks, weighted relations, communities level under level with what stands for them. All
functions are pure, and the same records give the same graph on every machine.

texts ─document_entities▶ DocumentEntities… ─gather▶ Entities ─relations▶ WeightedGraph
         WeightedGraph ─community_levels▶ … ─communities_of▶ Community…

`mentions` finds names in one document. `weighted` checks edges and turns weights into whole numbers, `leiden` has the
phases of the algorithm, `sweeps` the first of them for large graphs, `levels` looks into large communities. Never
import another stage or read or write a file here.
"""
