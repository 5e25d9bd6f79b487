"""Makes the models of this directory: /usr/bin/python3 make.py

Made with onnx 1.12.0, scikit-learn 1.2.1 and numpy 1.24.2 (Debian 12: python3-onnx, python3-sklearn). The weights are trained on a
formula with a fixed seed, so the files come out the same.
"""

import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.neural_network import MLPRegressor

HERE = os.path.dirname(os.path.abspath(__file__))
FLOAT, DOUBLE, INT64, STRING = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64, TensorProto.STRING


def value(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def save(name, nodes, inputs, outputs, initializers=(), domains=(), check=True):
    graph = helper.make_graph(list(nodes), name, list(inputs), list(outputs), list(initializers))
    imports = [helper.make_opsetid("", 13)] + [helper.make_opsetid(domain, version) for domain, version in domains]
    model = helper.make_model(graph, producer_name="sedge-tests", opset_imports=imports)
    model.ir_version = 7
    if check:
        onnx.checker.check_model(model)
    onnx.save(model, os.path.join(HERE, name + ".onnx"))


def layers(network, last=None):
    """A multi-layer perceptron as Gemm and Relu."""
    nodes, initializers, above = [], [], "features"
    for i, (weights, bias) in enumerate(zip(network.coefs_, network.intercepts_)):
        initializers += [
            numpy_helper.from_array(weights.astype(np.float32), f"w{i}"),
            numpy_helper.from_array(bias.astype(np.float32), f"b{i}"),
        ]
        final = i == len(network.coefs_) - 1
        name = (last or "risk") if final else f"h{i}"
        nodes.append(helper.make_node("Gemm", [above, f"w{i}", f"b{i}"], [name if final else f"g{i}"]))
        if not final:
            nodes.append(helper.make_node("Relu", [f"g{i}"], [name]))
        above = name
    return nodes, initializers


def trees(model):
    """Gradient-boosted trees as a TreeEnsembleRegressor of ai.onnx.ml."""
    columns = {
        "nodes_treeids": [], "nodes_nodeids": [], "nodes_featureids": [], "nodes_values": [], "nodes_modes": [],
        "nodes_truenodeids": [], "nodes_falsenodeids": [], "nodes_missing_value_tracks_true": [],
        "target_treeids": [], "target_nodeids": [], "target_ids": [], "target_weights": [],
    }
    for t, estimator in enumerate(model.estimators_[:, 0]):
        tree = estimator.tree_
        for n in range(tree.node_count):
            leaf = tree.children_left[n] < 0
            columns["nodes_treeids"].append(t)
            columns["nodes_nodeids"].append(n)
            columns["nodes_featureids"].append(0 if leaf else int(tree.feature[n]))
            columns["nodes_values"].append(0.0 if leaf else float(np.float32(tree.threshold[n])))
            columns["nodes_modes"].append("LEAF" if leaf else "BRANCH_LEQ")
            columns["nodes_truenodeids"].append(0 if leaf else int(tree.children_left[n]))
            columns["nodes_falsenodeids"].append(0 if leaf else int(tree.children_right[n]))
            columns["nodes_missing_value_tracks_true"].append(0)
            if leaf:
                columns["target_treeids"].append(t)
                columns["target_nodeids"].append(n)
                columns["target_ids"].append(0)
                columns["target_weights"].append(float(model.learning_rate * tree.value[n][0][0]))
    base = float(model.init_.constant_[0][0])
    return helper.make_node(
        "TreeEnsembleRegressor", ["features"], ["risk"], domain="ai.onnx.ml", n_targets=1, base_values=[base],
        post_transform="NONE", **columns,
    )


random = np.random.RandomState(7)
x = random.uniform(-1, 1, (2000, 10))
y = np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * np.abs(x[:, 3]) - x[:, 4] ** 2

mlp = MLPRegressor((64, 64), max_iter=60, random_state=7).fit(x, y)
nodes, weights = layers(mlp)
save("mlp", nodes, [value("features", FLOAT, ["rows", 10])], [value("risk", FLOAT, ["rows", 1])], weights)

gbdt = GradientBoostingRegressor(n_estimators=200, max_depth=4, random_state=7).fit(x, y)
save("gbdt", [trees(gbdt)], [value("features", FLOAT, ["rows", 10])], [value("risk", FLOAT, ["rows", 1])],
     domains=[("ai.onnx.ml", 1)])

# Two columns: for tests of the contract.
small = MLPRegressor((8,), max_iter=200, random_state=7).fit(x[:, :2], y)
nodes, weights = layers(small)
save("two", nodes, [value("features", FLOAT, ["rows", 2])], [value("risk", FLOAT, ["rows", 1])], weights)
save("one-at-a-time", nodes, [value("features", FLOAT, [1, 2])], [value("risk", FLOAT, [1, 1])], weights)
save("three-at-a-time", nodes, [value("features", FLOAT, [3, 2])], [value("risk", FLOAT, [3, 1])], weights)
save("custom-op", [helper.make_node("Frobnicate", ["features"], ["risk"], domain="com.acme")],
     [value("features", FLOAT, ["rows", 2])], [value("risk", FLOAT, ["rows", 1])], domains=[("com.acme", 1)], check=False)

# A classifier: an input for each column, a label and probabilities.
save(
    "classes",
    [
        helper.make_node("Concat", ["a", "b"], ["both"], axis=1),
        helper.make_node("Softmax", ["both"], ["probabilities"], axis=1),
        helper.make_node("ArgMax", ["both"], ["label"], axis=1, keepdims=0),
    ],
    [value("a", DOUBLE, ["rows", 1]), value("b", DOUBLE, ["rows", 1])],
    [value("label", INT64, ["rows"]), value("probabilities", DOUBLE, ["rows", 2])],
)

# A row whose index is not in 0..3 has no value: the run fails.
save(
    "table",
    [helper.make_node("Gather", ["values", "index"], ["value"])],
    [value("index", INT64, ["rows"])],
    [value("value", DOUBLE, ["rows"])],
    [numpy_helper.from_array(np.array([1.5, 2.5, 3.5, 4.5]), "values")],
)

# A text in, a text out.
save(
    "text",
    [helper.make_node("Identity", ["name"], ["copy"])],
    [value("name", STRING, ["rows"])],
    [value("copy", STRING, ["rows"])],
)

# All rows in one number: not a score for each.
save(
    "sum",
    [helper.make_node("ReduceSum", ["features"], ["total"], keepdims=0)],
    [value("features", FLOAT, ["rows", 2])],
    [value("total", FLOAT, [])],
)

# Weights in a file beside it, by a path that leaves the directory.
outside = helper.make_tensor("w", FLOAT, [2, 1], vals=[1.0, 1.0])
outside.ClearField("float_data")
outside.data_location = TensorProto.EXTERNAL
for key, text in (("location", "../outside.bin"), ("offset", "0"), ("length", "8")):
    entry = outside.external_data.add()
    entry.key, entry.value = key, text
save("external", [helper.make_node("MatMul", ["features", "w"], ["risk"])],
     [value("features", FLOAT, ["rows", 2])], [value("risk", FLOAT, ["rows", 1])], [outside], check=False)
