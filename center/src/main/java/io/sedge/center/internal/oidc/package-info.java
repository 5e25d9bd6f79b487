/**
 * People who log in at a provider of OpenID Connect: the authorization code flow with PKCE. Read
 * {@link io.sedge.center.internal.oidc.SingleSignOn} first, then {@link
 * io.sedge.center.internal.oidc.IdTokens}, which says what is believed of a provider, and {@link
 * io.sedge.center.internal.oidc.ProviderHttp}. Any thread.
 */
@NullMarked
package io.sedge.center.internal.oidc;

import org.jspecify.annotations.NullMarked;
