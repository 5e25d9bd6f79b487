package io.sedge.connector;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shows what there is at a far end, for people who have no table yet. It keeps nothing between
 * calls; any thread may call it. It changes nothing there: no row, no session, no group, no file.
 */
public interface Explorer {
  /** The addresses that it is for, as people write them: {@code kafka://HOST:9092}. */
  List<String> addresses();

  /** Whether an address is meant for it; it may be wrong all the same. */
  boolean isFor(String address);

  /**
   * The options of a table that reach an address.
   *
   * @throws ConnectorException of kind USER, without the address's login and query, if it is none
   */
  Map<String, String> connection(String address);

  /**
   * What there is. Blocks, for {@link Search#atMost} and the time-outs of a connection.
   *
   * @throws ConnectorException of kind USER if an option or a name cannot be; of kind EXTERNAL if
   *     the far end cannot be asked, or has nothing of that name; of kind FILE. The message may
   *     begin with {@code table NAME:}, NAME being that of the search's table.
   */
  Findings explore(Search search, ConnectorContext context);

  /**
   * What is looked for.
   *
   * @param table has the options of the connection, with the values of secrets, and no columns
   * @param name of the only one that is looked at; empty for all
   * @param most so many are looked at closely; the others are listed
   * @param atMost looking at contents takes so long
   */
  record Search(TableDescriptor table, Optional<String> name, int most, Duration atMost) {}
}
