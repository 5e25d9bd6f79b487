package io.sedge.site.internal.operation;

import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.Enrolment;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.internal.device.SiteNode;
import java.time.InstantSource;

/**
 * What is looked at of a device.
 *
 * @param enrolment whether it has the authority
 * @param starts how often it was started, with this time
 */
public record Probe(
    DeviceOptions options,
    LedgerMember member,
    SiteNode node,
    DeviceIdentity identity,
    Enrolment enrolment,
    InstantSource clock,
    long starts) {}
