package io.sedge.site.api;

/**
 * How a training gets on that the device which was asked has begun.
 *
 * @param running whether it has not ended
 * @param doing what it does, or did last, for people
 * @param version what came of it; 0 if nothing has (yet)
 * @param failure why nothing came of it; empty unless it has failed
 */
public record TrainingStatus(boolean running, String doing, long version, String failure) {}
