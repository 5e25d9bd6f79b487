package io.sedge.placement;

/**
 * What a plan gives to a device.
 *
 * @param device its name
 * @param shards how many
 * @param load readings per second, all together
 * @param busy the device's load over its speed: 1 is all that it can do, more than 1 falls behind.
 *     In seconds if loads are readings of a bounded job
 * @param memoryBytes what its shards take
 */
public record DeviceLoad(String device, int shards, double load, double busy, long memoryBytes) {}
