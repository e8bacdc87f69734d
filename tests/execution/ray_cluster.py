"""A Ray cluster of two machines on this one, for tests: prints its address, adds and kills machines as it is told.

Lines of its input: `kill` ends the second machine as a power cut would, `add` brings another one. It answers `done` to
each, and ends with its input.
"""

from __future__ import annotations

import os
import sys

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1"}

from ray.cluster_utils import Cluster

SIZE = {"num_cpus": 1, "object_store_memory": 80_000_000}


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args=SIZE | {"include_dashboard": False})
    node = cluster.add_node(**SIZE)
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line.strip() == "kill":
            cluster.remove_node(node, allow_graceful=False)
        else:
            node = cluster.add_node(**SIZE)
        print("done", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
