package io.sedge.ledger.internal.state;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Format;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.ModelVersion;
import io.sedge.ledger.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Versions of models that the site has trained. They go with the job that declares the model. */
final class Models {
  /** The versions of each model, in the order of their numbers. */
  final NavigableMap<Key, List<ModelVersion>> versions = new TreeMap<>();

  record Key(String job, String model) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::job).thenComparing(Key::model);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  List<ModelVersion> all() {
    return versions.values().stream().flatMap(List::stream).toList();
  }

  /**
   * Keeps a version. Equal models have equal files: one that is known keeps its number, so that a
   * job's file is that of one version.
   */
  Answer add(Command.AddModelVersion command, Site site) {
    ModelVersion version = command.version();
    JobEntry job = site.jobs.get(version.job());
    if (job == null) {
      return new Answer.Refused(Refusal.UNKNOWN_JOB, 0);
    }
    Key key = new Key(version.job(), version.model());
    if (!versions.containsKey(key) && versions.size() >= ModelVersion.MAX_MODELS) {
      return new Answer.Refused(Refusal.TOO_LARGE, ModelVersion.MAX_MODELS);
    }
    List<ModelVersion> known = versions.computeIfAbsent(key, _ -> new ArrayList<>());
    for (int i = 0; i < known.size(); i++) {
      ModelVersion same = known.get(i);
      if (same.file().equals(version.file())) {
        known.set(i, version.with(same.number(), same.live()));
        return new Answer.Done(site.appliedIndex, same.number());
      }
    }
    long number = known.isEmpty() ? 1 : known.getLast().number() + 1;
    if (known.size() >= ModelVersion.MAX_VERSIONS) {
      List<JobFile> files = site.format < Format.SHADOWS ? List.of() : job.files;
      var _ = known.remove(oldest(known, files));
    }
    known.add(version.with(number, 0));
    return new Answer.Done(site.appliedIndex, number);
  }

  /** A job is removed, and what was trained for it. */
  void removed(String job) {
    versions.keySet().removeIf(key -> key.job().equals(job));
  }

  /**
   * The oldest but for those that were made live last, and those that the job has a file of; the
   * first if there is no other.
   *
   * @param files of the job
   */
  private static ModelVersion oldest(List<ModelVersion> known, List<JobFile> files) {
    long live = known.stream().mapToLong(ModelVersion::live).max().orElse(0);
    return known.stream()
        .filter(version -> version.live() == 0 || version.live() < live)
        .filter(version -> !version.isIn(files))
        .findFirst()
        .orElse(known.getFirst());
  }

  void checkInvariants() {
    versions.forEach(
        (key, known) -> {
          if (known.stream().map(ModelVersion::file).distinct().count() < known.size()
              || known.size() > ModelVersion.MAX_VERSIONS) {
            throw new IllegalStateException("versions of %s: %s".formatted(key, known));
          }
        });
  }

  /** A job has files from now on: the versions among them are live. */
  void score(String job, List<JobFile> files, long index) {
    versions.forEach(
        (key, known) -> {
          if (key.job().equals(job)) {
            known.replaceAll(
                version ->
                    files.contains(version.file())
                        ? version.with(version.number(), index)
                        : version);
          }
        });
  }
}
