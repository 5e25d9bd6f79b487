package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Applies the appends of streams within a transaction: blocks after the applied sequence are
 * stored, a block that was stored before is skipped if it is the same, and anything else says that
 * the site went back.
 *
 * <p>What decides is read in the same transaction and locked, so that two centers on one database
 * do not apply the same block twice. One thread.
 */
final class StreamWriter {
  /** How many blocks of a stream are remembered, to tell a repetition from other rows. */
  static final int REMEMBERED = 128 << 10;

  /** After how many blocks the oldest are forgotten. */
  private static final int FORGET_EVERY = 4_096;

  private static final int MAX_GENERATION = 1 << 14;

  private final Dialect dialect;
  private final ResultTables tables;
  private final Repairs repairs;
  private final RollUpWriter rollUps = new RollUpWriter();

  /** How many blocks of a stream were added since the oldest were forgotten. */
  private final Map<Long, Integer> added = new HashMap<>();

  StreamWriter(Dialect dialect, ResultTables tables, Repairs repairs) {
    this.dialect = dialect;
    this.tables = tables;
    this.repairs = repairs;
  }

  /** A transaction, or a part of it, was taken back. */
  void forget() {
    rollUps.forget();
    tables.forget();
  }

  /** What an append came to. */
  record Outcome(long applied, long rows, int blocks, int repeated, long rejected) {}

  Outcome apply(Connection connection, Append append) throws SQLException, StoreException {
    Position position = position(connection, append.plan());
    TableShape shape = shape(connection, append.plan());
    BlockWriter writer =
        new BlockWriter(dialect, repairs, connection, append.plan(), shape, position.generation());
    long applied = position.applied();
    long rows = 0;
    long bytes = 0;
    List<Append.Block> stored = new ArrayList<>();
    for (Append.Block block : append.blocks()) {
      boolean fresh = block.first() > applied;
      if (fresh || (shape.key().isEmpty() && isInGap(connection, append.plan(), block))) {
        writer.write(block);
        remember(connection, append.plan(), block);
        applied = Math.max(applied, block.last());
        rows += block.batch().rows();
        bytes += block.bytes();
        stored.add(block);
      } else {
        checkRepetition(connection, append.plan(), block, applied);
      }
    }
    if (!stored.isEmpty()) {
      advance(connection, append.plan(), applied, rows, bytes, writer.rejected());
      count(connection, shape, rows);
      if (!rollUps.add(connection, append.plan(), shape, stored)) {
        rollUps.forget();
        RollUpWriter.drop(connection, shape.name());
        tables.forget();
      }
      forgetOldest(connection, append.plan(), stored.size());
    }
    return new Outcome(
        applied, rows, stored.size(), append.blocks().size() - stored.size(), writer.rejected());
  }

  private record Position(long applied, int generation) {}

  private Position position(Connection connection, StreamPlan plan)
      throws SQLException, StoreException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT s.applied, s.generation, t.state, t.held, t.generation FROM sedge_stream s"
                + " JOIN sedge_site t ON t.name = s.site WHERE s.id = ?"
                + dialect.lockSuffix())) {
      statement.setLong(1, plan.id());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw Streams.SiteState.unknown(plan.site());
        }
        Streams.SiteState site =
            new Streams.SiteState(row.getString(3), row.getString(4), row.getInt(5));
        site.check(plan.site());
        int generation = row.getInt(2);
        if (site.generation() <= generation) {
          return new Position(row.getLong(1), generation);
        }
        return new Position(0, begin(connection, plan, site.generation()));
      }
    }
  }

  /** The stream begins anew in a later generation of its site. */
  private static int begin(Connection connection, StreamPlan plan, int generation)
      throws SQLException, StoreException {
    if (generation > MAX_GENERATION) {
      throw new StoreException(
          Reason.INTERNAL,
          "site '%s' was restored more than %,d times: enrol it under another name"
              .formatted(plan.site(), MAX_GENERATION));
    }
    update(
        connection,
        "UPDATE sedge_stream SET generation = ?, applied = 0 WHERE id = ?",
        generation,
        plan.id());
    update(connection, "DELETE FROM sedge_block WHERE stream = ?", plan.id());
    return generation;
  }

  private TableShape shape(Connection connection, StreamPlan plan)
      throws SQLException, StoreException {
    return tables
        .find(connection, plan.table())
        .orElseThrow(
            () ->
                new StoreException(
                    Reason.SCHEMA_REFUSED,
                    "table %s is not known any more: open the stream anew"
                        .formatted(plan.table())));
  }

  private static void remember(Connection connection, StreamPlan plan, Append.Block block)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO sedge_block (stream, last, first, version, digest) VALUES (?, ?, ?, ?,"
                + " ?)")) {
      statement.setLong(1, plan.id());
      statement.setLong(2, block.last());
      statement.setLong(3, block.first());
      statement.setLong(4, block.version());
      statement.setBytes(5, block.digest());
      statement.executeUpdate();
    }
  }

  /**
   * Whether a block lies between blocks that are remembered, and meets none of them. A site that
   * drops its oldest rows while the center is away sends them after all where it dies before its
   * ledger knows. In a table without a key they find their place.
   */
  private static boolean isInGap(Connection connection, StreamPlan plan, Append.Block block)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT (SELECT last FROM sedge_block WHERE stream = ? AND last < ?"
                + " ORDER BY last DESC LIMIT 1), (SELECT first FROM sedge_block WHERE stream = ?"
                + " AND last >= ? ORDER BY last LIMIT 1)")) {
      statement.setLong(1, plan.id());
      statement.setLong(2, block.first());
      statement.setLong(3, plan.id());
      statement.setLong(4, block.first());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getLong(1) > 0 && row.getLong(2) > block.last();
      }
    }
  }

  private static void checkRepetition(
      Connection connection, StreamPlan plan, Append.Block block, long applied)
      throws SQLException, StoreException {
    String found = "they are not remembered";
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT first, version, digest FROM sedge_block WHERE stream = ? AND last = ?")) {
      statement.setLong(1, plan.id());
      statement.setLong(2, block.last());
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          boolean same =
              row.getLong(1) == block.first()
                  && (row.getLong(2) != block.version()
                      || Arrays.equals(row.getBytes(3), block.digest()));
          if (same) {
            return;
          }
          found = "others are stored under these sequences";
        }
      }
    }
    throw new StoreException(
        Reason.SEQUENCE_WENT_BACK,
        ("site '%s' sends rows %d to %d of job %s (stream %d, table %s), of which %d are stored,"
                + " and %s. The site was restored from an older state. Its rows are refused until a"
                + " person accepts that it was restored")
            .formatted(
                plan.site(),
                block.first(),
                block.last(),
                plan.job(),
                plan.id(),
                plan.table(),
                applied,
                found));
  }

  private static void advance(
      Connection connection, StreamPlan plan, long applied, long rows, long bytes, long rejected)
      throws SQLException {
    update(
        connection,
        "UPDATE sedge_stream SET applied = ?, row_count = row_count + ?,"
            + " byte_count = byte_count + ?, rejected = rejected + ? WHERE id = ?",
        applied,
        rows,
        bytes,
        rejected,
        plan.id());
  }

  /** A table without a key has as many rows as were added; with one, nobody knows. */
  private static void count(Connection connection, TableShape shape, long rows)
      throws SQLException {
    if (!shape.key().isEmpty()) {
      return;
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE sedge_table SET row_count = row_count + ? WHERE name = ?")) {
      statement.setLong(1, rows);
      statement.setString(2, shape.name());
      statement.executeUpdate();
    }
  }

  private void forgetOldest(Connection connection, StreamPlan plan, int stored)
      throws SQLException {
    int since = added.getOrDefault(plan.id(), FORGET_EVERY) + stored;
    if (since < FORGET_EVERY) {
      added.put(plan.id(), since);
      return;
    }
    added.put(plan.id(), 0);
    update(
        connection,
        "DELETE FROM sedge_block WHERE stream = ? AND last <= (SELECT last FROM sedge_block"
            + " WHERE stream = ? ORDER BY last DESC LIMIT 1 OFFSET ?)",
        plan.id(),
        plan.id(),
        REMEMBERED);
  }

  private static void update(Connection connection, String sql, long... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setLong(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }
}
