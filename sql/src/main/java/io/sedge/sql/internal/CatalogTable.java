package io.sedge.sql.internal;

import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.TemporalTable;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/** A table or view as Calcite sees it. */
final class CatalogTable extends AbstractTable implements TranslatableTable, TemporalTable {
  private final RelDataType rowType;
  private final @Nullable DeclaredTable declared;
  private final @Nullable RelNode view;

  private CatalogTable(
      RelDataType rowType, @Nullable DeclaredTable declared, @Nullable RelNode view) {
    this.rowType = rowType;
    this.declared = declared;
    this.view = view;
  }

  /** A table with a connector. */
  static CatalogTable of(DeclaredTable table) {
    return new CatalogTable(table.rowType(), table, null);
  }

  /** A view; its tree becomes part of the trees of those who use it. */
  static CatalogTable view(RelNode tree) {
    return new CatalogTable(tree.getRowType(), null, tree);
  }

  /** Columns without a table, to validate expressions over them. */
  static CatalogTable columns(RelDataType rowType) {
    return new CatalogTable(rowType, null, null);
  }

  /** The table that was declared; null for a view. */
  @Nullable DeclaredTable declared() {
    return declared;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return rowType;
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return view != null
        ? view
        : LogicalTableScan.create(context.getCluster(), table, context.getTableHints());
  }

  @Override
  public String getSysStartFieldName() {
    return "SYS_START";
  }

  @Override
  public String getSysEndFieldName() {
    return "SYS_END";
  }
}
