package io.sedge.replication;

import java.util.UUID;

/**
 * What a newcomer needs to know before it starts.
 *
 * @param site the site's name among all sites
 * @param voter whether it will vote; while there are fewer than {@link LedgerMember#MAX_VOTERS}
 */
public record Invitation(UUID site, boolean voter) {}
