package io.sedge.center.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A site that the center knows.
 *
 * @param state {@code active} or {@code revoked}
 * @param seenAtMillis when it was last heard of, to a minute
 * @param generation how often it has been restored from an older state, as people have confirmed
 * @param held why its rows are refused until a person accepts that it was restored
 * @param inventory what it has told of itself; absent if it never did
 * @param streams what it has sent; absent in a list of sites
 */
public record SiteReport(
    String name,
    String state,
    Map<String, String> labels,
    long enrolledAtMillis,
    @Nullable Long seenAtMillis,
    int generation,
    @Nullable String held,
    String fingerprint,
    @Nullable Inventory inventory,
    @Nullable List<Stream> streams) {

  /**
   * What a site has told of itself.
   *
   * @param versions of Sedge on its devices
   * @param diskFreeBytes where the leading device keeps its data; -1 if not known
   */
  public record Inventory(
      long toldAtMillis,
      int devices,
      int devicesUp,
      List<String> versions,
      long diskFreeBytes,
      int jobs) {}

  /**
   * The rows of a task for a sink.
   *
   * @param sequence up to which its rows are stored
   * @param rows how many have been stored, ever
   */
  public record Stream(
      String job,
      String task,
      String sink,
      String table,
      long generation,
      long sequence,
      long rows,
      long bytes) {}
}
