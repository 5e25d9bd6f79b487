package io.sedge.bench.center;

import io.sedge.bench.Memory;
import io.sedge.bench.parts.DeviceProcesses;
import io.sedge.bench.parts.SedgeProcess;
import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.JobVersion;
import io.sedge.center.api.Requests;
import io.sedge.center.api.SiteReport;
import io.sedge.site.CenterEnrolment;
import io.sedge.site.api.SiteException;
import io.sedge.uplink.SiteCredential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A center in a process of its own, with the heap that it has if nobody says another. One thread.
 */
final class CenterProcess implements AutoCloseable {
  private final Path sedge;
  private final Path directory;
  private final Database database;
  private final String listen;
  private SedgeProcess process;

  /**
   * Starts it.
   *
   * @param sedge the command
   * @param directory for its data, which is made
   */
  CenterProcess(Path sedge, Path directory, Database database) throws IOException {
    this.sedge = sedge;
    this.directory = directory;
    this.database = database;
    this.listen = "127.0.0.1:" + DeviceProcesses.freePorts();
    Files.createDirectories(directory);
    this.process = start();
  }

  private SedgeProcess start() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("center", "start", "--data", data().toString(), "--listen", listen));
    command.addAll(database.options());
    SedgeProcess started =
        new SedgeProcess(
            sedge,
            database.environment(),
            directory,
            directory.resolve("center.log"),
            command.toArray(String[]::new));
    started.awaitLine("people and programs ask");
    return started;
  }

  private Path data() {
    return directory.resolve("data");
  }

  /** The file of its results, if it has no other database. */
  Path embeddedDatabase() {
    return data().resolve("results/center.db");
  }

  /** Kill -9. */
  void kill() throws IOException {
    process.kill();
  }

  /** Starts it again after {@link #kill}; returns when it listens. */
  void again() throws IOException {
    process = start();
  }

  /** The processor time that its process has taken. */
  Duration cpu() {
    return process.cpu();
  }

  /** The most that its process has had in memory, in MB. */
  double peakResidentMb() {
    return Memory.peakResidentMb(Long.toString(process.pid()));
  }

  /** Lets sites in, whose names are {@code site-1} and so on. */
  List<SiteCredential> enrol(int count) throws IOException {
    List<SiteCredential> credentials = new ArrayList<>();
    try (CenterClient client = CenterClient.local(data())) {
      for (int number = 1; number <= count; number++) {
        String site = "site-" + number;
        String token = client.siteToken(Optional.of(site), Duration.ofHours(1)).token();
        credentials.add(
            CenterEnrolment.enrol(
                listen, token, site, "ledger-" + number, 0, InstantSource.system()));
      }
      return credentials;
    } catch (CenterException | SiteException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Gives all sites that have been let in a job at once. */
  void deploy(String job, String script) throws IOException {
    try (CenterClient client = CenterClient.local(data())) {
      List<String> sites = client.sites().stream().map(SiteReport::name).toList();
      var _ =
          client.deploy(
              job, new Requests.ForJob(script, sites, null, List.of("rest"), 1L, null, null));
    } catch (CenterException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * Looks whether a job that was given still goes its way.
   *
   * @throws IOException why it does not
   */
  void checkJob(String name) throws IOException {
    try (CenterClient client = CenterClient.local(data())) {
      JobVersion job = client.job(name);
      if (job.ended() && !job.state().equals("done")) {
        throw new IOException("job %s is %s: %s".formatted(name, job.state(), job.detail()));
      }
    } catch (CenterException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
