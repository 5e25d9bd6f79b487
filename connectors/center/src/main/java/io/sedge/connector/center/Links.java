package io.sedge.connector.center;

import io.sedge.connector.ConnectorException;
import io.sedge.uplink.SiteCredential;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;

/** The connections of this process to centers, one for each credential while a sink uses it. */
final class Links {
  private final Map<String, Link> open = new HashMap<>();

  /** The one with a credential; its {@link Link#close} gives it back. */
  synchronized Link open(String table, String credential) {
    Link link = open.get(credential);
    if (link == null) {
      try {
        link = new Link(SiteCredential.parse(credential), () -> remove(credential));
      } catch (GeneralSecurityException e) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "table %s: 'credential' is not what `sedge site report` sets (%s): write 'credential' = '${secret:%s}'"
                .formatted(table, e.getMessage(), SiteCredential.SECRET),
            e);
      }
      open.put(credential, link);
    }
    link.use();
    return link;
  }

  private synchronized void remove(String credential) {
    Link link = open.get(credential);
    if (link != null && link.isUnused()) {
      open.remove(credential);
      link.end();
    }
  }
}
