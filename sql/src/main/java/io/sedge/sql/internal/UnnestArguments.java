package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Puts the table's name before an array inside a ROW, {@code UNNEST(payload.samples)}: Calcite
 * takes {@code payload} for a table there. Done where one table alone, which has a name, stands
 * before the UNNEST.
 */
final class UnnestArguments extends SqlBasicVisitor<@Nullable Void> {
  private UnnestArguments() {}

  /** Changes a query in place. */
  static void qualify(SqlNode query) {
    query.accept(new UnnestArguments());
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlJoin join) {
      SqlCall unnest = unnest(join.getRight());
      Names before = new Names();
      before.add(join.getLeft());
      if (unnest != null
          && before.tables.size() == 1
          && !before.unnamed
          && unnest.operand(0) instanceof SqlIdentifier array
          && !array.isSimple()
          && !before.all.contains(array.names.getFirst())) {
        unnest.setOperand(0, within(before.tables.getFirst(), array));
      }
    }
    return super.visit(call);
  }

  private static SqlIdentifier within(String table, SqlIdentifier array) {
    List<String> names = new ArrayList<>(List.of(table));
    names.addAll(array.names);
    return new SqlIdentifier(names, array.getParserPosition());
  }

  /** The UNNEST that is joined, if one is. */
  private static @Nullable SqlCall unnest(SqlNode joined) {
    SqlNode node = joined;
    while (node.getKind() == SqlKind.AS || node.getKind() == SqlKind.LATERAL) {
      node = ((SqlCall) node).operand(0);
    }
    return node.getKind() == SqlKind.UNNEST ? (SqlCall) node : null;
  }

  /** What stands before an UNNEST. */
  private static final class Names {
    private final List<String> tables = new ArrayList<>();

    /** Of the tables, of the UNNESTs, and of the columns that are named with them. */
    private final List<String> all = new ArrayList<>();

    /** Whether something has no name. */
    private boolean unnamed;

    void add(SqlNode from) {
      if (from instanceof SqlJoin join) {
        add(join.getLeft());
        add(join.getRight());
        return;
      }
      int known = all.size();
      if (from instanceof SqlIdentifier table) {
        all.add(table.names.getLast());
      } else if (from.getKind() == SqlKind.AS) {
        ((SqlCall) from)
            .getOperandList().stream()
                .skip(1)
                .forEach(name -> all.add(((SqlIdentifier) name).getSimple()));
      } else {
        unnamed = true;
        return;
      }
      if (unnest(from) == null) {
        tables.add(all.get(known));
      }
    }
  }
}
