package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What a device does that has no site yet, where all devices are started by the same command, as by
 * Kubernetes. With a token it joins. Without one the first of the addresses begins a site, and the
 * others wait for a token. So a device that has lost its disk never begins a second site beside the
 * one whose tokens it is given.
 */
final class JoiningOptions {
  /** A file is looked at this often. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** Another token, another moment or somebody at the site may help. */
  private static final Set<FailureCode> PASSING =
      EnumSet.of(
          FailureCode.JOIN_REFUSED,
          FailureCode.NAME_TAKEN,
          FailureCode.CONNECTION_FAILED,
          FailureCode.NO_AUTHORITY,
          FailureCode.NO_MAJORITY,
          FailureCode.LIMIT_REACHED,
          FailureCode.NOT_NOW);

  @Option(
      names = "--join",
      paramLabel = "HOST:PORT",
      order = 8,
      split = ",",
      description = {
        "Join the site there, if this device has none yet. Several with",
        "commas: the first one that answers. If --token-file has no token,",
        "the device whose own address comes first begins a site; the others",
        "wait for one."
      })
  private List<String> addresses = new ArrayList<>();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      order = 8,
      description = "With --join: a file with tokens, one a line. It may come later.")
  private @Nullable String tokenFile;

  /**
   * A device that begins or joins a site.
   *
   * @param <D> the device
   */
  interface Entrance<D> {
    D begin() throws SiteException;

    D join(String through, String token) throws SiteException;
  }

  /** Waits; a thread that is interrupted meanwhile refuses to go on. */
  interface Pause {
    void pause(Duration time) throws SiteException;
  }

  /** Whether such a device is asked for. */
  boolean isAsked() throws SiteException {
    if (addresses.isEmpty() != (tokenFile == null)) {
      throw new SiteException(
          FailureCode.USAGE,
          "--join and --token-file belong together: where to join, and the file that lets this"
              + " device in");
    }
    return tokenFile != null;
  }

  /**
   * Begins or joins a site, however long that takes.
   *
   * @param own where this device will let others in
   * @throws SiteException if trying again would not help
   */
  <D> D enter(
      String own,
      Surroundings surroundings,
      Entrance<D> entrance,
      Pause pause,
      Consumer<String> say)
      throws SiteException {
    List<String> others = addresses.stream().filter(address -> !address.equals(own)).toList();
    String said = "";
    Duration wait = LOOK;
    while (true) {
      List<String> tokens = tokens(surroundings);
      String now;
      if (!tokens.isEmpty()) {
        try {
          return join(others, tokens, entrance);
        } catch (SiteException e) {
          if (!PASSING.contains(e.code())) {
            throw e;
          }
          now = e.getMessage() + "; trying again, also with other tokens in " + tokenFile;
          wait =
              wait.multipliedBy(2).compareTo(LONGEST_WAIT) < 0
                  ? wait.multipliedBy(2)
                  : LONGEST_WAIT;
        }
      } else if (addresses.getFirst().equals(own)) {
        say.accept(
            "%s is the first of --join, and %s has no token: beginning a site"
                .formatted(own, tokenFile));
        return entrance.begin();
      } else {
        now =
            "waiting for a token in %s: `sedge device token --count 1` on a device of the site makes one"
                .formatted(tokenFile);
        wait = LOOK;
      }
      if (!now.equals(said)) {
        say.accept(now);
        said = now;
      }
      pause.pause(wait);
    }
  }

  /** By the first address that answers; what is thrown is what the last one said. */
  private <D> D join(List<String> others, List<String> tokens, Entrance<D> entrance)
      throws SiteException {
    SiteException last =
        new SiteException(
            FailureCode.USAGE,
            "%s has a token, and --join names nobody but this device: name another device of the site"
                .formatted(tokenFile));
    for (String address : others) {
      for (String token : tokens) {
        try {
          return entrance.join(address, token);
        } catch (SiteException e) {
          if (!PASSING.contains(e.code())) {
            throw e;
          }
          last = e;
          if (e.code() != FailureCode.JOIN_REFUSED) {
            break;
          }
        }
      }
    }
    throw last;
  }

  /** Those that the file has now; none while it is not there. */
  private List<String> tokens(Surroundings surroundings) throws SiteException {
    String file = String.valueOf(tokenFile);
    return Files.exists(surroundings.directory().resolve(file))
        ? OptionFile.read("--token-file", file, surroundings)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList()
        : List.of();
  }
}
