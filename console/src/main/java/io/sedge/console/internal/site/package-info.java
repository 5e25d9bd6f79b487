/**
 * The console of a site, through one of its devices. Read {@link
 * io.sedge.console.internal.site.SiteApi} first, then {@link
 * io.sedge.console.internal.site.Sessions}, then {@link io.sedge.console.internal.site.LoginCodes}.
 * Any thread.
 */
@NullMarked
package io.sedge.console.internal.site;

import org.jspecify.annotations.NullMarked;
