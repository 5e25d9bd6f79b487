package io.sedge.cli.internal;

import io.sedge.center.Center;
import io.sedge.center.CenterException;
import io.sedge.center.CenterOptions;
import io.sedge.center.KeptAddress;
import io.sedge.center.OidcOptions;
import io.sedge.center.store.StoreOptions;
import io.sedge.console.ConsolePages;
import io.sedge.site.api.BuildVersion;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.uplink.Uplink;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge center start}. */
@Command(
    name = "start",
    header = "Runs a center, to which sites report.",
    description = {
      "Runs until Ctrl-C. Its directory has its keys and, where no other database is named, all"
          + " that",
      "sites have reported. Sites report at the first port, by certificates of the center; people"
          + " and",
      "programs ask at the next one, by tokens."
    },
    footer = {
      "Examples:",
      "  sedge center start --data /var/lib/sedge-center",
      "  sedge center start --listen 10.0.0.2:7440 --name center.plant.example",
      "  sedge center start --database jdbc:postgresql://db/sedge --database-user sedge",
      "",
      "The database's password comes from $SEDGE_DATABASE_PASSWORD or --database-password-file."
    })
final class CenterStartCommand extends CommandOptions implements Callable<Integer> {
  private static final String PASSWORD = "SEDGE_DATABASE_PASSWORD";
  private static final String READER_PASSWORD = "SEDGE_DATABASE_READER_PASSWORD";
  private static final Duration FIRST_TOKEN = Duration.ofHours(1);

  private final Surroundings surroundings;

  @Mixin private final CenterDirectory data = new CenterDirectory();

  @Option(
      names = "--listen",
      paramLabel = "HOST[:PORT]",
      description = {
        "Listen for sites at this address, and for people and programs at",
        "the next port (default: 127.0.0.1:" + Uplink.DEFAULT_PORT + "). Kept for later starts,",
        "with the names."
      })
  private @Nullable String listen;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = {
        "A name or address by which others reach it; may be repeated. The",
        "first one is what sites are told."
      })
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--certificates",
      paramLabel = "TIME",
      defaultValue = "90d",
      converter = DurationConverter.class,
      description = {
        "How long certificates of sites are valid (default: ${DEFAULT-VALUE});",
        "they renew themselves."
      })
  private Duration validity = CenterOptions.CERTIFICATE_VALIDITY;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = {
        "Store results there: jdbc:postgresql://HOST[:PORT]/NAME",
        "(default: SQLite in the directory)."
      })
  private @Nullable String database;

  @Option(
      names = "--database-user",
      paramLabel = "NAME",
      defaultValue = "sedge",
      description = "The user of --database (default: ${DEFAULT-VALUE}).")
  private String user = "";

  @Option(
      names = "--database-password-file",
      paramLabel = "FILE",
      description = {"A file with that user's password.", "Default: $SEDGE_DATABASE_PASSWORD."})
  private @Nullable String passwordFile;

  @Option(
      names = "--database-reader",
      paramLabel = "NAME",
      description = {
        "Ask people's queries as this user, who may only read; its password",
        "is $SEDGE_DATABASE_READER_PASSWORD (default: the same user)."
      })
  private @Nullable String reader;

  @Option(
      names = "--oidc",
      paramLabel = "FILE",
      description = {
        "Let people log in at the provider of OpenID Connect that this file",
        "of lines NAME=VALUE names, too. Only you may be able to read it",
        "(chmod 600)."
      })
  private @Nullable String oidc;

  @Option(
      names = "--output",
      paramLabel = "FORM",
      order = 91,
      defaultValue = "text",
      description = {
        "json: an object on standard output when the center has started.",
        "One of: ${COMPLETION-CANDIDATES}."
      })
  private AnswerFormat output = AnswerFormat.text;

  CenterStartCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, SiteException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    ServiceManager manager = new ServiceManager(surroundings.environment());
    surroundings
        .interruptions()
        .onInterrupt(
            () -> {
              manager.stopping();
              stopped.countDown();
            });
    CenterOptions options = options();
    say("the center starts ...");
    try (manager;
        Center center =
            Center.start(
                options,
                Optional.of(new ConsolePages()),
                new CenterScripts(surroundings),
                surroundings.clock(),
                this::say)) {
      started(center);
      manager.ready("center at " + center.siteAddress(), () -> true);
      stopped.await();
      say("stopping ...");
    } catch (CenterException e) {
      throw new JobException(e.code(), String.valueOf(e.getMessage()), e);
    }
    say("the center has stopped");
    return 0;
  }

  private CenterOptions options() throws JobException, SiteException {
    Path directory = data.path(surroundings);
    Optional<KeptAddress> kept = kept(directory);
    ListenAddress address =
        ListenAddress.parse(
            kept.map(KeptAddress::listen)
                .orElse(Objects.requireNonNullElse(listen, "127.0.0.1:" + Uplink.DEFAULT_PORT)));
    List<String> called = names.isEmpty() ? kept.map(KeptAddress::names).orElse(names) : names;
    checkNames(address.host(), called);
    return new CenterOptions(
        directory,
        store(directory),
        address.host(),
        address.port(),
        address.port() + 1,
        called,
        validity,
        provider(),
        BuildVersion.ofThis());
  }

  /** Where it listened last, unless it is said where now. */
  private Optional<KeptAddress> kept(Path directory) throws JobException {
    if (listen != null) {
      return Optional.empty();
    }
    try {
      Optional<KeptAddress> kept = KeptAddress.in(directory);
      kept.ifPresent(
          last -> say("listens at %s, as before; --listen changes it".formatted(last.listen())));
      return kept;
    } catch (CenterException e) {
      throw new JobException(e.code(), String.valueOf(e.getMessage()), e);
    }
  }

  private Optional<OidcOptions> provider() throws JobException {
    if (oidc == null) {
      return Optional.empty();
    }
    Properties given = SecretProperties.read("--oidc", oidc, surroundings);
    Map<String, String> values = new HashMap<>();
    given.stringPropertyNames().forEach(name -> values.put(name, given.getProperty(name)));
    try {
      Path file = surroundings.directory().resolve(oidc).toAbsolutePath();
      return Optional.of(OidcOptions.parse(values, file.resolveSibling("")));
    } catch (IllegalArgumentException e) {
      throw new JobException(FailureCode.USAGE, "--oidc=%s: %s".formatted(oidc, e.getMessage()), e);
    }
  }

  /** What is told to sites must be an address that they can reach. */
  private static void checkNames(String host, List<String> names) throws SiteException {
    try {
      if (names.isEmpty() && InetAddress.getByName(host).isAnyLocalAddress()) {
        throw new SiteException(
            FailureCode.USAGE,
            "--listen=%s is all addresses of this machine: say with --name NAME by which one sites reach it"
                .formatted(host));
      }
    } catch (UnknownHostException e) {
      throw new SiteException(
          FailureCode.USAGE, "--listen=%s: there is no such address".formatted(host), e);
    }
  }

  private StoreOptions store(Path directory) throws SiteException {
    if (database == null) {
      return StoreOptions.embedded(directory.resolve("results"));
    }
    try {
      StoreOptions options = StoreOptions.postgres(database, user, password());
      return reader == null
          ? options
          : options.withReader(
              reader, surroundings.environment().getOrDefault(READER_PASSWORD, ""));
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, "--database: " + e.getMessage(), e);
    }
  }

  private String password() throws SiteException {
    return passwordFile != null
        ? OptionFile.read("--database-password-file", passwordFile, surroundings).stripTrailing()
        : surroundings.environment().getOrDefault(PASSWORD, "");
  }

  private void started(Center center) throws CenterException {
    say("sites report to " + center.siteAddress());
    say("people and programs ask " + center.apiAddress());
    if (output == AnswerFormat.json) {
      answer(center);
    } else if (surroundings.errIsTerminal()) {
      showSecrets(center);
    } else {
      sayHowSecretsAreMade(center);
    }
  }

  private void answer(Center center) throws CenterException {
    Map<String, String> started = new LinkedHashMap<>();
    started.put("sites", center.siteAddress());
    started.put("api", center.apiAddress());
    firstToken(center).ifPresent(token -> started.put("token", token));
    center.firstLogin().ifPresent(code -> started.put("login", code));
    center.firstLink().ifPresent(link -> started.put("console", link));
    new Answers(surroundings.out()).json(started);
  }

  private static Optional<String> firstToken(Center center) throws CenterException {
    return center.hasSites()
        ? Optional.empty()
        : Optional.of(center.siteToken(Optional.empty(), FIRST_TOKEN));
  }

  private void showSecrets(Center center) throws CenterException {
    center
        .firstLink()
        .ifPresent(link -> say("the first admin sets a password, once within 24 h, at " + link));
    center
        .firstLogin()
        .ifPresent(
            code ->
                say(
                    "or gets a token for a program instead, by: curl --cacert %s -d '{\"code\": \"%s\"}' %s/api/v1/login"
                        .formatted(
                            data.path(surroundings).resolve("authority/certificate.pem"),
                            code,
                            center.apiAddress())));
    firstToken(center)
        .ifPresent(
            token -> {
              say(
                  "type this on a device of a site, before %s; `sedge center token` makes further tokens:"
                      .formatted(
                          surroundings
                              .clock()
                              .instant()
                              .plus(FIRST_TOKEN)
                              .truncatedTo(ChronoUnit.SECONDS)));
              surroundings
                  .err()
                  .println(
                      "  sedge site report --to %s --token %s"
                          .formatted(center.siteAddress(), token));
            });
  }

  /** What is no terminal is taken for a log, in which tokens and links have no place. */
  private void sayHowSecretsAreMade(Center center) throws CenterException {
    String directory = " --data " + data.path(surroundings);
    if (center.firstLink().isPresent()) {
      say("there is no admin yet: sedge center person add NAME --role admin" + directory);
    }
    if (!center.hasSites()) {
      say("no site reports yet: sedge center token" + directory);
    }
  }

  private void say(String what) {
    surroundings.err().println("sedge: " + what);
  }
}
