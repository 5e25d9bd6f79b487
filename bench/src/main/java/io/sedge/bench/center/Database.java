package io.sedge.bench.center;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Where a center keeps rows, and the same for a bare loop.
 *
 * @param name for people
 * @param options of {@code sedge center start}
 * @param environment of the center's process
 * @param bare where a loop without a center writes
 */
record Database(String name, List<String> options, Map<String, String> environment, BareLoop bare) {
  Database {
    options = List.copyOf(options);
    environment = Map.copyOf(environment);
  }

  /**
   * What a center has if nobody says another.
   *
   * @param directory for the file of the bare loop
   */
  static Database embedded(Path directory) {
    return new Database(
        "SQLite", List.of(), Map.of(), BareLoop.sqlite(directory.resolve("bare.db")));
  }
}
