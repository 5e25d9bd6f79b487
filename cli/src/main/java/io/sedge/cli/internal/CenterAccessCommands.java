package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.AccessReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center access} and what is below it. */
@Command(
    name = "access",
    header = "Says who may ask a center, and what, by tokens.",
    description = {
      "A viewer reads. An operator also lets restored sites in. An engineer also makes tokens for",
      "sites, labels them and says how long tables keep rows. An admin also makes tokens for",
      "people, shuts sites out and makes backups."
    },
    footer = {
      "Examples:",
      "  sedge center access add grafana --role viewer",
      "  sedge center access list",
      "  sedge center access role grafana operator",
      "  sedge center access remove grafana"
    })
final class CenterAccessCommands extends GroupCommand {
  private CenterAccessCommands(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    return new CommandLine(new CenterAccessCommands(surroundings))
        .addSubcommand(new ListCommand(surroundings))
        .addSubcommand(new Add(surroundings))
        .addSubcommand(new RoleCommand(surroundings))
        .addSubcommand(new Remove(surroundings));
  }

  /** What one may; the names are what the user writes. */
  enum Role {
    viewer,
    operator,
    engineer,
    admin
  }

  /** At which sites somebody may change something. */
  static String sites(@Nullable List<String> names) {
    return names == null ? "all" : String.join(", ", names);
  }

  /** The option that says at which sites somebody may change something. */
  static final class SitesOption {
    @Option(
        names = "--site",
        paramLabel = "NAME",
        description = {
          "A site at which one may change something; may be repeated",
          "(default: all, or those of before). Everybody may look at",
          "all sites."
        })
    private List<String> names = new ArrayList<>();

    List<String> names() {
      return names;
    }
  }

  /** {@code sedge center access list}. */
  @Command(
      name = "list",
      header = "Shows who has a token, without the tokens.",
      footer = {"Example:", "  sedge center access list"})
  static final class ListCommand extends CenterCommand.Answering {
    ListCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<AccessReport> all = center.accessTokens();
      TextTable table = new TextTable("NAME", "ROLE", "SITES", "MADE", "ENDS", "USED");
      all.forEach(
          access ->
              table.add(
                  access.name(),
                  access.role(),
                  sites(access.sites()),
                  time(access.createdAtMillis()),
                  time(access.endsAtMillis()),
                  time(access.usedAtMillis())));
      showAll(answers, all, table, "nobody has a token");
    }
  }

  /** {@code sedge center access add}. */
  @Command(
      name = "add",
      header = "Makes a token for a person or a program; it is shown this once.",
      footer = {
        "Examples:",
        "  sedge center access add grafana --role viewer > token",
        "  sedge center access add anna --role engineer --valid-for 30d",
        "  sedge center access add scada --role operator --site north --site south"
      })
  static final class Add extends CenterCommand.Answering {
    @Parameters(paramLabel = "NAME", description = "Who it is for.")
    private String name = "";

    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE",
        description = "What one may: ${COMPLETION-CANDIDATES}.")
    private Role role = Role.viewer;

    @Mixin private final SitesOption sites = new SitesOption();

    @Option(
        names = "--valid-for",
        paramLabel = "TIME",
        converter = DurationConverter.class,
        description = "How long it may be used (default: until it is removed).")
    private @Nullable Duration validFor;

    Add(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      AccessReport made =
          center.addAccess(name, role.name(), sites.names(), Optional.ofNullable(validFor));
      remark("the token of %s, which nobody can show again:".formatted(name));
      show(answers, made, List.of(String.valueOf(made.token())));
    }
  }

  /** {@code sedge center access role}. */
  @Command(
      name = "role",
      header = "Gives a token another role, from its next request on.",
      description = {"Without --site the sites stay those of before; --site '*' is all."},
      footer = {
        "Examples:",
        "  sedge center access role grafana operator",
        "  sedge center access role scada operator --site north --site south"
      })
  static final class RoleCommand extends CenterCommand.Answering {
    @Mixin private final RoleParameters to = new RoleParameters();

    RoleCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      to.done(this, answers, center.accessRole(to.name(), to.role(), to.sites()).sites());
    }
  }

  /** {@code sedge center access remove}. */
  @Command(
      name = "remove",
      header = "Takes a token away, from its next request on.",
      footer = {"Example:", "  sedge center access remove grafana"})
  static final class Remove extends CenterCommand.Answering {
    @Parameters(paramLabel = "NAME", description = "Whose, as `sedge center access list` names it.")
    private String name = "";

    Remove(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      center.removeAccess(name);
      done(
          answers,
          "%s has no token any more".formatted(name),
          Map.of("name", name, "done", "remove"));
    }
  }
}
