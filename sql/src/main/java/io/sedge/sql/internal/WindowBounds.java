package io.sedge.sql.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the window that columns name by its start and end. */
final class WindowBounds {
  private WindowBounds() {}

  /** The window whose start and end are both among the columns, or null. */
  static @Nullable WindowCall named(Relation input, List<Integer> columns) {
    for (int start : columns) {
      ColumnRole role = input.roles().get(start);
      if (role.kind() == ColumnRole.Kind.WINDOW_START
          && columns.stream()
              .map(column -> input.roles().get(column))
              .anyMatch(
                  other ->
                      other.kind() == ColumnRole.Kind.WINDOW_END
                          && other.isBoundOf(role.window()))) {
        return role.window();
      }
    }
    return null;
  }
}
