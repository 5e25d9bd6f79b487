package io.sedge.system.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Devices of a site on this machine, each in a process, and commands that ask them. */
public final class SiteProcesses {
  private static final int HEAP_MIB = 96;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final Sedge sedge;
  private final SiteNetwork network;

  /** Devices that are connected by a network. */
  public SiteProcesses(Sedge sedge, SiteNetwork network) {
    this.sedge = sedge;
    this.network = network;
  }

  /**
   * A port that nobody had a moment ago, and neither the one after it; of those that systems give
   * to nobody who connects, so that nobody takes it by chance. No two askers get the same.
   */
  public static int freePorts() {
    IOException last = new IOException("no port was tried");
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = 20_000 + 2 * ThreadLocalRandom.current().nextInt(6_000);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
          ServerSocket _ = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
        if (GIVEN.add(port)) {
          return port;
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw new UncheckedIOException(last);
  }

  /**
   * The words of a command that makes a device.
   *
   * @param how {@code start}, or what {@link #joining} gives
   */
  public String[] command(String data, String name, int port, String... how) {
    List<String> words = new ArrayList<>(List.of("device"));
    words.addAll(List.of(how));
    words.addAll(
        List.of("--data", data, "--name", name, "--listen", network.host(name) + ":" + port));
    return words.toArray(String[]::new);
  }

  /** Starts a device, as {@link #command} says, in a directory of its name. */
  public SedgeProcess device(String name, int port, String... how) {
    return run(name, command(name, name, port, how));
  }

  /** Starts a device again, with more words if there are any. */
  public SedgeProcess again(String name, String... words) {
    List<String> command = new ArrayList<>(List.of("device", "start", "--data", name));
    command.addAll(List.of(words));
    return run(name, command.toArray(String[]::new));
  }

  private SedgeProcess run(String device, String... command) {
    return sedge.startThrough(
        network.inside(device), Map.of("SEDGE_HEAP", HEAP_MIB + "m"), command);
  }

  /** Waits until a device has begun. */
  public static void awaitUp(SedgeProcess device) {
    device.awaitMessage("it runs until Ctrl-C");
  }

  /** What a command answered. */
  public String answer(String... command) {
    try (SedgeProcess process = sedge.start(command)) {
      assertThat(process.exitCode()).as(process::toString).isZero();
      return String.join("\n", process.out());
    }
  }

  /** With what words another device joins the site of one. */
  public String[] joining(String data) {
    List<String> words = List.of(answer("device", "token", "--data", data).split(" ", -1));
    return words.subList(2, words.size()).toArray(String[]::new);
  }
}
