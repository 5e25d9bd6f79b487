/**
 * What there is at a far end, and the table that reads it: {@link
 * io.sedge.cli.internal.connect.Sampling} reads for a moment, {@link
 * io.sedge.cli.internal.connect.Groups} puts names together that differ in a part, {@link
 * io.sedge.cli.internal.connect.PayloadShape} tells columns from payloads, and {@link
 * io.sedge.cli.internal.connect.Proposal} writes the script. Where a connector lists what there is,
 * {@link io.sedge.cli.internal.connect.TableScript} writes it.
 */
@NullMarked
package io.sedge.cli.internal.connect;

import org.jspecify.annotations.NullMarked;
