package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.hint.HintStrategyTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindowTableFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Turns a validated query into a relational tree and remembers where in the script each of its
 * nodes and expressions came from, so that what is refused later can still be shown its place.
 */
final class PositionedConverter extends SqlToRelConverter {
  private static final RelOptTable.ViewExpander NO_VIEWS =
      (rowType, query, schemaPath, viewPath) -> {
        throw new UnsupportedOperationException("views are kept as trees");
      };

  private final SqlValidator names;
  private final IdentityHashMap<RelNode, SqlParserPos> positions;
  private final Places places;

  PositionedConverter(
      SqlValidator validator,
      Prepare.CatalogReader catalog,
      RelOptCluster cluster,
      IdentityHashMap<RelNode, SqlParserPos> positions,
      Places places) {
    super(NO_VIEWS, validator, catalog, cluster, Convertlets.INSTANCE, settings());
    this.names = validator;
    this.positions = positions;
    this.places = places;
  }

  private static Config settings() {
    return SqlToRelConverter.config()
        .withTrimUnusedFields(false)
        .withExpand(false)
        .withInSubQueryThreshold(Integer.MAX_VALUE)
        .withHintStrategyTable(HintStrategyTable.EMPTY)
        .withRelBuilderConfigTransform(
            builder ->
                builder
                    .withSimplify(false)
                    .withSimplifyLimit(false)
                    .withSimplifyValues(false)
                    .withBloat(-1)
                    .withPruneInputOfAggregate(false)
                    .withAggregateUnique(true)
                    .withPushJoinCondition(false));
  }

  @Override
  protected Blackboard createBlackboard(
      SqlValidatorScope scope, @Nullable Map<String, RexNode> names, boolean top) {
    return new PlacedBlackboard(scope, names, top);
  }

  /** Every call of an expression, the inner ones too, is converted through it. */
  private final class PlacedBlackboard extends Blackboard {
    PlacedBlackboard(SqlValidatorScope scope, @Nullable Map<String, RexNode> names, boolean top) {
      super(scope, names, top);
    }

    @Override
    public RexNode convertExpression(SqlNode expression) {
      RexNode converted = super.convertExpression(expression);
      places.add(converted, expression.getParserPosition());
      if (expression.getKind() == SqlKind.OVER) { // Calcite makes several of some.
        OverCollector.collect(List.of(converted))
            .forEach(over -> places.add(over, expression.getParserPosition()));
      }
      return converted;
    }
  }

  @Override
  protected void convertSelectImpl(Blackboard board, SqlSelect select) {
    super.convertSelectImpl(board, select);
    remember(board.root(), select.getParserPosition());
  }

  @Override
  protected void convertFrom(
      Blackboard board, @Nullable SqlNode from, @Nullable List<String> fieldNames) {
    super.convertFrom(board, from, fieldNames);
    if (from != null && board.root() != null) {
      remember(board.root(), from.getParserPosition());
    }
  }

  @Override
  protected RelRoot convertQueryRecursive(
      SqlNode query, boolean top, @Nullable RelDataType targetRowType) {
    RelRoot root = super.convertQueryRecursive(query, top, targetRowType);
    remember(root.rel, query.getParserPosition());
    return root;
  }

  /**
   * Window functions and those of models take their table as it is; one for sessions may be
   * partitioned.
   */
  @Override
  protected void convertCollectionTable(Blackboard board, SqlCall call) {
    if (!(call.getOperator() instanceof SqlWindowTableFunction)) {
      super.convertCollectionTable(board, call);
      return;
    }
    List<SqlNode> operands = call.getOperandList();
    SqlNode table = operands.getFirst();
    if (call.getOperator() instanceof PredictFunction function) {
      RelNode rows = convertQueryRecursive(table, false, null).project();
      PredictScan.Call predict = scores(function.model(), operands.get(1), rows, call);
      board.setRoot(new PredictScan(rows, predict, names.getValidatedNodeType(call)), true);
      return;
    }
    if (call.getOperator() instanceof EvaluateFunction function) {
      RelNode rows = convertQueryRecursive(table, false, null).project();
      EvaluateScan.Call evaluate =
          new EvaluateScan.Call(
              scores(function.model(), operands.get(2), rows, call),
              ModelOperands.columns(operands.get(1), rows.getRowType()).getFirst(),
              function.evaluation());
      board.setRoot(new EvaluateScan(rows, evaluate, names.getValidatedNodeType(call)), true);
      return;
    }
    List<String> partition = List.of();
    if (table.getKind() == SqlKind.SET_SEMANTICS_TABLE) {
      SqlCall partitioned = (SqlCall) table;
      partition =
          ((SqlNodeList) partitioned.operand(1))
              .stream().map(key -> Util.last(((SqlIdentifier) key).names)).toList();
      table = partitioned.operand(0);
    }
    RelNode input = convertQueryRecursive(table, false, null).project();
    List<RexNode> arguments = new ArrayList<>();
    for (SqlNode operand : operands.subList(2, operands.size())) {
      arguments.add(board.convertExpression(operand));
    }
    WindowCall window =
        WindowCall.of(call, operands.get(1), partition, arguments, input.getRowType());
    board.setRoot(new WindowScan(input, window, names.getValidatedNodeType(call)), true);
  }

  private static PredictScan.Call scores(
      DeclaredModel model, SqlNode features, RelNode rows, SqlCall call) {
    return new PredictScan.Call(
        model, ModelOperands.columns(features, rows.getRowType()), call.getParserPosition());
  }

  private void remember(@Nullable RelNode node, SqlParserPos position) {
    if (node == null || position.getLineNum() < 1 || positions.containsKey(node)) {
      return;
    }
    positions.put(node, position);
    node.getInputs().forEach(input -> remember(input, position));
  }
}
