package io.sedge.sql.internal;

import io.sedge.engine.type.Type;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.flink.sql.parser.FlinkSqlParsingValidator;
import org.apache.flink.sql.parser.validate.FlinkSqlConformance;
import org.jspecify.annotations.Nullable;

/** Has Calcite validate queries against a catalog and turn them into relational trees. */
final class QueryPlanner {
  private final ModelCatalog models;
  private final Operators operators;
  private final TypeFactory types = new TypeFactory();
  private final RelOptCluster cluster;
  private final CalciteCatalogReader reader;
  private final IdentityHashMap<RelNode, SqlParserPos> positions = new IdentityHashMap<>();
  private final Places places = new Places();

  QueryPlanner(Catalog catalog, ModelCatalog models, Operators operators) {
    this.models = models;
    this.operators = operators;
    Properties properties = new Properties();
    properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
    this.reader =
        new CalciteCatalogReader(
            catalog.schema(), List.of(), types, new CalciteConnectionConfigImpl(properties));
    this.cluster = RelOptCluster.create(new InertPlanner(), new RexBuilder(types));
    cluster.setMetadataQuerySupplier(ProxiedMetadata::new);
  }

  TypeFactory types() {
    return types;
  }

  RexBuilder rexBuilder() {
    return cluster.getRexBuilder();
  }

  /** A validator; each statement needs its own, because it keeps what it learned of a tree. */
  SqlValidator validator() {
    return new Validator(
        SqlOperatorTables.chain(operators),
        reader,
        types,
        SqlValidator.Config.DEFAULT
            .withIdentifierExpansion(true)
            .withDefaultNullCollation(NullCollation.LOW)
            .withTypeCoercionEnabled(false)
            .withConformance(FlinkSqlConformance.DEFAULT));
  }

  /** The tree of a query, with the names of its result's columns. */
  RelRoot plan(SqlNode query) {
    ModelCalls.resolve(query, models, operators);
    UnsupportedSyntax.refuse(query);
    NamedArguments.order(query);
    UnnestArguments.qualify(query);
    SqlValidator validator = validator();
    SqlNode validated = validator.validate(query);
    return new PositionedConverter(validator, reader, cluster, positions, places)
        .convertQuery(validated, false, true);
  }

  /** The type that a data type in DDL stands for. */
  private RelDataType type(SqlDataTypeSpec spec) {
    DeclaredTypes.check(spec.getTypeNameSpec());
    return spec.deriveType(validator());
  }

  /** The type of a column that a statement declares. */
  Type columnType(SqlDataTypeSpec spec, SqlNode column) {
    try {
      RelDataType type = type(spec);
      boolean nullable = !Boolean.FALSE.equals(spec.getNullable());
      return Types.of(type).withNullable(nullable);
    } catch (UnsupportedException e) {
      throw e.position() == null ? e.at(spec.getParserPosition()) : e;
    } catch (UnsupportedOperationException e) {
      throw new UnsupportedException(
          String.valueOf(e.getMessage()), null, column.getParserPosition());
    }
  }

  /** Where in the script a node of a tree came from. */
  @Nullable SqlParserPos position(RelNode node) {
    return positions.get(node);
  }

  /** Where in the script the expressions of trees were written. */
  Places places() {
    return places;
  }

  /** Calcite's metadata by reflection: by default it compiles handlers, with a compiler at hand. */
  private static final class ProxiedMetadata extends RelMetadataQuery {
    ProxiedMetadata() {
      super(new ProxyingMetadataHandlerProvider(DefaultRelMetadataProvider.INSTANCE));
    }
  }

  private static final class Validator extends FlinkSqlParsingValidator {
    Validator(
        SqlOperatorTable operators,
        SqlValidatorCatalogReader catalog,
        TypeFactory types,
        Config config) {
      super(operators, catalog, types, config, false);
    }

    /** Visits every node of a statement; the parser knows Calcite's operators only. */
    @Override
    protected SqlNode performUnconditionalRewrites(SqlNode node, boolean underFrom) {
      SqlNode rewritten = super.performUnconditionalRewrites(node, underFrom);
      if (rewritten instanceof SqlBasicCall call
          && call.getOperator().equals(SqlStdOperatorTable.CAST)) {
        call.setOperator(Operators.CAST);
      }
      if (rewritten instanceof SqlBasicCall call && RowItem.is(call)) {
        call.setOperator(RowItem.INSTANCE);
      }
      return rewritten;
    }
  }
}
