/**
 * Who a device is, and how one becomes part of a site: keys, certificates, the site's authority,
 * join tokens, enrolment. Read {@link io.sedge.identity.DeviceIdentity} first, then {@link
 * io.sedge.identity.Authority}, then {@link io.sedge.identity.EnrolmentServer}. Enrolment has a
 * thread that accepts and one for each connection; the rest is called by any thread.
 */
@NullMarked
package io.sedge.identity;

import org.jspecify.annotations.NullMarked;
