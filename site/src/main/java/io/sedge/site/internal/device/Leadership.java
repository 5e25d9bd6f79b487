package io.sedge.site.internal.device;

import java.util.function.BooleanSupplier;

/**
 * How this device stands to the lead of the ledger. Any thread may ask.
 *
 * @param isLeader whether it leads
 * @param hasFollowed whether another one has led since this one was started
 */
public record Leadership(BooleanSupplier isLeader, BooleanSupplier hasFollowed) {}
