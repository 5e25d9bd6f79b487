package io.sedge.site.api;

import java.util.Map;

/**
 * A version of a model that the site has trained.
 *
 * @param number from 1 on
 * @param atMillis the wall clock of who trained it
 * @param live whether the job scores by it
 * @param shadow whether it scores beside the live one
 * @param rolledBack whether it is the one that the site has taken back by itself last
 * @param wasLive higher for those that were live later; 0 if it never was
 * @param algorithm as the script had it
 * @param metrics how good it was on rows held out, by name
 * @param parameters what it is, by name
 * @param rows how many rows each device had for it
 * @param sentBytes how much of sums left each device
 * @param leftOut how many rows had a value that is none
 * @param firstMillis the time of the earliest row; {@link Long#MAX_VALUE} if that is not known
 * @param lastMillis the time of the latest; {@link Long#MIN_VALUE} if that is not known
 * @param sha256 of its ONNX file
 * @param bytes of that
 * @param notes what people should know, in lines; may be empty
 */
public record ModelVersionStatus(
    long number,
    long atMillis,
    boolean live,
    boolean shadow,
    boolean rolledBack,
    long wasLive,
    String algorithm,
    Map<String, Double> metrics,
    Map<String, Double> parameters,
    Map<String, Long> rows,
    Map<String, Long> sentBytes,
    long leftOut,
    long firstMillis,
    long lastMillis,
    String sha256,
    long bytes,
    String notes) {}
