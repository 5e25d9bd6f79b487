package io.sedge.cli.internal;

import io.sedge.connector.Backoff;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What a device does that has no site yet, where all devices are started by the same command, as by
 * Kubernetes. With a token it joins. Where there is no file of tokens, the first of the addresses
 * begins a site, and the others wait for a token.
 *
 * <p>A device that has lost its disk must never begin a second site beside the first one. So each
 * sign of a site keeps it waiting: a file of tokens, be it empty, tokens that were there before,
 * and another one of the addresses that answers.
 */
final class JoiningOptions {
  /** A file is looked at this often. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Backoff REFUSED =
      Backoff.steady(LOOK.multipliedBy(2), Duration.ofSeconds(30));

  /** Who is there answers at once, within a plant. */
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private static final int LAST_PORT = 65_535;

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
        "commas: the first one that answers. If there is no --token-file,",
        "and nobody answers, the device whose own address comes first begins",
        "a site; the others wait for a token. Needs --listen."
      })
  private List<String> addresses = new ArrayList<>();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      order = 8,
      description = {
        "With --join: a file with tokens, one a line. It may come later. An",
        "empty one is waited for, too."
      })
  private @Nullable String tokenFile;

  /**
   * A device that begins or joins a site.
   *
   * @param <D> the device
   */
  interface Entrance<D> {
    D begin() throws SiteException;

    D join(String through, String token) throws SiteException;

    /**
     * Tells a line that is no token.
     *
     * @throws SiteException what is wrong with it, without its text
     */
    void check(String token) throws SiteException;

    /** Whether a device lets others in at an address. */
    default boolean answers(String address) throws SiteException {
      return somebodyListens(address);
    }
  }

  /** Waits; a thread that is interrupted meanwhile refuses to go on. */
  interface Pause {
    void pause(Duration time) throws SiteException;
  }

  /**
   * Whether such a device is asked for.
   *
   * @param listens whether its own address was given
   */
  boolean isAsked(boolean listens) throws SiteException {
    if (addresses.isEmpty() != (tokenFile == null)) {
      throw new SiteException(
          FailureCode.USAGE,
          "--join and --token-file belong together: where to join, and the file that lets this"
              + " device in");
    }
    if (tokenFile != null && !listens) {
      throw new SiteException(
          FailureCode.USAGE,
          "--join needs --listen HOST:PORT: a device that knows its own address knows which one of"
              + " --join it is");
    }
    for (String address : addresses) {
      var _ = parse(address);
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
    Set<String> slips = new HashSet<>();
    Optional<String> siteIsThere = Optional.empty();
    String said = "";
    int failures = 0;
    while (true) {
      Optional<List<String>> lines = lines(surroundings);
      List<String> tokens = tokens(lines.orElse(List.of()), entrance, slips, say);
      if (lines.filter(found -> !found.isEmpty()).isPresent()) {
        siteIsThere = Optional.of("something has stood there, so there is a site");
      }
      String now;
      if (!tokens.isEmpty()) {
        try {
          return join(others, tokens, entrance);
        } catch (SiteException e) {
          if (!PASSING.contains(e.code())) {
            throw e;
          }
          now = e.getMessage() + "; trying again, also with other tokens in " + tokenFile;
          failures++;
        }
      } else {
        Optional<String> known = siteIsThere;
        Optional<String> reason = whoElseBegins(own).or(() -> known).or(() -> emptyFile(lines));
        if (reason.isEmpty()) {
          siteIsThere = answering(others, entrance);
          reason = siteIsThere;
        }
        if (reason.isEmpty()) {
          say.accept(
              "%s is the first of --join, there is no %s, and nobody else answers: beginning a site"
                  .formatted(own, tokenFile));
          return entrance.begin();
        }
        now =
            "waiting for a token in %s: %s; `sedge device token --count 1` on a device of the site makes one"
                .formatted(tokenFile, reason.get());
        failures = 0;
      }
      if (!now.equals(said)) {
        say.accept(now);
        said = now;
      }
      pause.pause(failures == 0 ? LOOK : REFUSED.delay(failures));
    }
  }

  /** Why a device at an address never begins; empty if it is the one that does. */
  private Optional<String> whoElseBegins(String own) {
    if (addresses.getFirst().equals(own)) {
      return Optional.empty();
    }
    return Optional.of(
        addresses.contains(own)
            ? "%s begins the site".formatted(addresses.getFirst())
            : "this device lets others in at %s, which is not one of --join, so it begins no site: if it should, write that address there as it stands here"
                .formatted(own));
  }

  private static Optional<String> emptyFile(Optional<List<String>> lines) {
    return lines.map(
        _ ->
            "the file is there, if empty, as where there is a site; without it this device begins"
                + " one");
  }

  private static Optional<String> answering(List<String> others, Entrance<?> entrance)
      throws SiteException {
    for (String address : others) {
      if (entrance.answers(address)) {
        return Optional.of("%s answers, so there is a site".formatted(address));
      }
    }
    return Optional.empty();
  }

  private static boolean somebodyListens(String address) throws SiteException {
    HostPort there = parse(address);
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(there.host(), there.port().orElseThrow()),
          Math.toIntExact(ANSWER.toMillis()));
      // A port that nobody has may be given to this very socket, which then meets itself.
      return !socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress());
    } catch (IOException _) {
      return false; // Its name may be unknown, too, as that of a pod that was never there.
    }
  }

  private static HostPort parse(String address) throws SiteException {
    return HostPort.parse(address)
        .filter(there -> there.port().orElse(0) >= 1 && there.port().orElse(0) <= LAST_PORT)
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.USAGE,
                    "--join=%s: write HOST:PORT, for example edge-1:7411 or [fd00::7]:7411"
                        .formatted(address)));
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

  /** What stands in the file now; empty while it is not there. */
  private Optional<List<String>> lines(Surroundings surroundings) throws SiteException {
    try {
      return Optional.of(
          OptionFile.read("--token-file", String.valueOf(tokenFile), surroundings)
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty())
              .toList());
    } catch (SiteException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return Optional.empty();
      }
      throw e; // One that may not be read is not one that is not there.
    }
  }

  /** The lines that are tokens; others are told once, by number, as each may be a secret. */
  private List<String> tokens(
      List<String> lines, Entrance<?> entrance, Set<String> slips, Consumer<String> say) {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        entrance.check(lines.get(i));
        tokens.add(lines.get(i));
      } catch (SiteException e) {
        if (slips.add(lines.get(i))) {
          say.accept("%s: token %d is left out: %s".formatted(tokenFile, i + 1, e.getMessage()));
        }
      }
    }
    return tokens;
  }
}
