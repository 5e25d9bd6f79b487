package io.sedge.cli.internal;

import io.sedge.flink.cluster.FlinkScript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a script needs of its cluster, for whoever is not there to see it run. A line each. */
final class FlinkNeeds {
  private FlinkNeeds() {}

  /** What only a job that runs shows. */
  static List<String> ofJob(FlinkScript script) {
    return script.isBatch() || script.saysCheckpoints()
        ? List.of()
        : List.of(
            "the script SETs no '%s': unless the cluster's configuration has one, the job begins anew after a failure"
                .formatted(FlinkScript.CHECKPOINTS));
  }

  /**
   * The same, and what only a JobManager that plans the script shows.
   *
   * @param ofFunctions jars that go along
   * @param sent the secrets whose values go along
   */
  static List<String> ofScript(FlinkScript script, Collection<Path> ofFunctions, Set<String> sent) {
    List<String> needs = new ArrayList<>(ofJob(script));
    if (!script.lacked().isEmpty()) {
      needs.add(
          "the cluster needs Flink's jars of %s: in its lib directory, or with --jar"
              .formatted(String.join(", ", new TreeSet<>(script.lacked()))));
    }
    if (!ofFunctions.isEmpty()) {
      needs.add(
          "functions need %s: `sedge flink submit` sends that along, Flink's own client takes it with --jar"
              .formatted(
                  ofFunctions.stream().map(Path::toString).collect(Collectors.joining(", "))));
    }
    Set<String> missing = new TreeSet<>(script.secrets());
    missing.removeAll(sent);
    if (!missing.isEmpty()) {
      needs.add(
          "the JobManager needs %s in its environment"
              .formatted(
                  missing.stream().map(RunSecrets::variable).collect(Collectors.joining(", "))));
    }
    if (!script.secrets().isEmpty()) {
      needs.add("Flink's own client does not know ${secret:…}: write the values for it");
    }
    return needs;
  }
}
