package io.sedge.cli.internal;

import io.sedge.center.MergeCompiler;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.division.AcrossSites;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import org.jspecify.annotations.Nullable;

/**
 * Compiles scripts for a center. What they read and write is at the sites, so that nothing is
 * opened here; nor is any jar of a script loaded. The compiler is made for the first script: most
 * centers have none. Any thread.
 */
final class CenterScripts implements MergeCompiler {
  private static final FileAccess NO_FILES =
      (what, path, _) -> {
        throw new ConnectorException(
            Kind.USER, "%s: a center loads no jars and no models, so not %s".formatted(what, path));
      };

  private final Surroundings surroundings;
  private @Nullable SqlCompiler compiler;

  CenterScripts(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public AcrossSites compile(String job, String script) throws SqlException {
    return AcrossSites.of(compiled(job, script));
  }

  @Override
  public boolean merges(String job, String script) throws SqlException {
    Job compiled = compiled(job, script);
    if (compiled.mergesInCenter()) {
      var _ = AcrossSites.of(compiled);
    }
    return compiled.mergesInCenter();
  }

  private synchronized Job compiled(String job, String script) throws SqlException {
    if (compiler == null) {
      Connectors installed = Connectors.installed(CenterScripts.class.getClassLoader());
      compiler =
          new SqlCompiler(
              installed.byName(),
              installed.formats().byName(),
              ModelProviders.installed(CenterScripts.class.getClassLoader()),
              surroundings.clock(),
              NO_FILES);
    }
    return compiler.compile(job, script, surroundings.directory());
  }
}
