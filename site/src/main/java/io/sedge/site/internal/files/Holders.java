package io.sedge.site.internal.files;

import io.sedge.identity.FilePart;
import io.sedge.site.api.SiteException;
import java.util.List;

/** The other devices of the site, of which each may have files. */
public interface Holders {
  /** Those that can be asked. */
  List<String> names();

  /**
   * Asks one for a part of a file; waits.
   *
   * @param offset where the part begins
   * @throws SiteException if it does not answer
   */
  FilePart read(String device, String sha256, long offset) throws SiteException;
}
