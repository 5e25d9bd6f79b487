package io.sedge.site.api;

import io.sedge.ledger.DeviceState;
import io.sedge.ledger.ProcessUse;
import java.util.Map;

/**
 * A device of a site at one moment.
 *
 * @param address of its ledger, {@code host:port}
 * @param alive whether it has reported lately
 * @param stopped whether it said that it was being stopped; it is not alive then
 * @param silentMillis for how long it has not reported, as the device that was asked has seen it;
 *     stands still while the ledger does
 * @param member whether it keeps a copy of the ledger
 * @param voter whether that copy counts for a majority
 * @param authority whether it has the site's certificate authority, so that it lets others in
 * @param speed readings per second that it can do of what it runs; 0 if it has not done enough for
 *     it to be known
 * @param load readings per second that it has been given
 * @param busy load over speed
 * @param shards tasks that run on it
 * @param use what its process takes of the machine, as it said last
 * @param version of Sedge that it runs; empty if it has not said
 */
public record DeviceStatus(
    String name,
    String address,
    DeviceState state,
    boolean alive,
    boolean stopped,
    long silentMillis,
    boolean member,
    boolean voter,
    boolean authority,
    double speed,
    double load,
    double busy,
    int shards,
    Map<String, String> labels,
    ProcessUse use,
    String version) {
  public DeviceStatus {
    labels = Map.copyOf(labels);
  }
}
