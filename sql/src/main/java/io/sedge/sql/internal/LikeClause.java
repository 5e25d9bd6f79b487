package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.flink.sql.parser.ddl.SqlTableColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlComputedColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlMetadataColumn;
import org.apache.flink.sql.parser.ddl.SqlWatermark;
import org.apache.flink.sql.parser.ddl.constraint.SqlTableConstraint;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.FeatureOption;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.MergingStrategy;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.SqlTableLikeOption;

/** LIKE: what a table takes over from another, by Flink's rules. */
final class LikeClause {
  private LikeClause() {}

  static TableParts merge(TableParts own, SqlTableLike like, Catalog catalog) {
    SqlIdentifier source = like.getSourceTable();
    String name = TableStatements.simpleName(source);
    TableParts base = catalog.parts(name);
    if (base == null) {
      throw new UnsupportedException(
          "LIKE: there is no table `%s`%s".formatted(name, Names.didYouMean(name, catalog.names())),
          null,
          source.getParserPosition());
    }
    Map<FeatureOption, MergingStrategy> rules = rules(like);
    Map<String, String> options = new HashMap<>();
    if (rules.get(FeatureOption.OPTIONS) != MergingStrategy.EXCLUDING) {
      options.putAll(base.options());
    }
    options.putAll(own.options());
    boolean watermark = rules.get(FeatureOption.WATERMARKS) != MergingStrategy.EXCLUDING;
    SqlWatermark merged =
        own.watermark() != null ? own.watermark() : watermark ? base.watermark() : null;
    List<SqlTableConstraint> constraints =
        !own.constraints().isEmpty()
                || rules.get(FeatureOption.CONSTRAINTS) == MergingStrategy.EXCLUDING
            ? own.constraints()
            : base.constraints();
    List<String> partitions =
        !own.partitionKeys().isEmpty()
                || rules.get(FeatureOption.PARTITIONS) == MergingStrategy.EXCLUDING
            ? own.partitionKeys()
            : base.partitionKeys();
    return new TableParts(columns(own, base, rules), merged, constraints, partitions, options);
  }

  private static List<SqlTableColumn> columns(
      TableParts own, TableParts base, Map<FeatureOption, MergingStrategy> rules) {
    List<SqlTableColumn> columns = new ArrayList<>();
    for (SqlTableColumn column : base.columns()) {
      boolean replaced =
          own.columns().stream()
              .anyMatch(other -> other.getName().getSimple().equals(column.getName().getSimple()));
      FeatureOption feature =
          column instanceof SqlComputedColumn
              ? FeatureOption.GENERATED
              : column instanceof SqlMetadataColumn ? FeatureOption.METADATA : null;
      boolean excluded = feature != null && rules.get(feature) == MergingStrategy.EXCLUDING;
      if (!replaced && !excluded) {
        columns.add(column);
      }
    }
    columns.addAll(own.columns());
    return columns;
  }

  private static Map<FeatureOption, MergingStrategy> rules(SqlTableLike like) {
    Map<FeatureOption, MergingStrategy> rules = new EnumMap<>(FeatureOption.class);
    for (SqlTableLikeOption option : like.getOptions()) {
      if (option.getFeatureOption() == FeatureOption.ALL) {
        for (FeatureOption feature : FeatureOption.values()) {
          rules.put(feature, option.getMergingStrategy());
        }
      }
    }
    like.getOptions()
        .forEach(option -> rules.put(option.getFeatureOption(), option.getMergingStrategy()));
    return rules;
  }
}
