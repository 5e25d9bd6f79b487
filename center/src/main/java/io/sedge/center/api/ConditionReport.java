package io.sedge.center.api;

import io.sedge.uplink.SiteCondition;
import java.util.List;

/**
 * How a site was when it last said so. Numbers that it does not know are -1.
 *
 * @param toldAtMillis when that was
 * @param leader the device that said so
 */
public record ConditionReport(
    long toldAtMillis,
    String leader,
    List<SiteCondition.OfDevice> devices,
    List<SiteCondition.OfJob> jobs) {}
