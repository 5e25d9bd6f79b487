package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.LinkReport;
import io.sedge.center.api.PersonReport;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center person} and what is below it. */
@Command(
    name = "person",
    header = "Says who may log in to a center, and what one may do.",
    description = {
      "A viewer reads. An operator also lets restored sites in. An engineer also makes tokens for",
      "sites, labels them and says how long tables keep rows. An admin also says who may log in,",
      "shuts sites out and makes backups. Programs have tokens: `sedge center access`."
    },
    footer = {
      "Examples:",
      "  sedge center person add anna --role engineer",
      "  sedge center person role anna admin",
      "  sedge center person reset anna",
      "  sedge center person list",
      "  sedge center person remove anna"
    })
final class CenterPersonCommands extends GroupCommand {
  private CenterPersonCommands(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    return new CommandLine(new CenterPersonCommands(surroundings))
        .addSubcommand(new ListCommand(surroundings))
        .addSubcommand(new Add(surroundings))
        .addSubcommand(new RoleCommand(surroundings))
        .addSubcommand(new Reset(surroundings))
        .addSubcommand(new Remove(surroundings));
  }

  /** {@code sedge center person list}. */
  @Command(
      name = "list",
      header = "Shows who may log in.",
      footer = {"Example:", "  sedge center person list"})
  static final class ListCommand extends CenterCommand.Answering {
    ListCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<PersonReport> all = center.people();
      TextTable table =
          new TextTable(
              "NAME", "ROLE", "SITES", "ADDED", "SEEN", "LINK UNTIL", "LOCKED", "LOGS IN BY");
      all.forEach(
          person ->
              table.add(
                  person.name(),
                  person.role(),
                  CenterAccessCommands.sites(person.sites()),
                  time(person.createdMillis()),
                  time(person.lastSeenMillis()),
                  time(person.linkEndsMillis()),
                  person.shutOut() ? "removed" : person.locked() ? "yes" : "no",
                  person.provider() == null ? "password" : person.provider()));
      showAll(answers, all, table, "nobody may log in: `sedge center person add` makes a link");
    }
  }

  /** One that answers with a link. */
  abstract static class Linking extends CenterCommand.Answering {
    Linking(Surroundings surroundings) {
      super(surroundings);
    }

    void show(Answers answers, LinkReport made) {
      remark(
          "%s sets a password there, once, before %s; nobody can show the link again:"
              .formatted(made.name(), time(made.endsAtMillis())));
      show(answers, made, List.of(made.link()));
    }
  }

  /** {@code sedge center person add}. */
  @Command(
      name = "add",
      header = "Makes a link with which a person sets a password, within 24 hours.",
      footer = {
        "Examples:",
        "  sedge center person add anna --role engineer",
        "  sedge center person add bob --role operator --site north"
      })
  static final class Add extends Linking {
    @Parameters(paramLabel = "NAME", description = "By which the person will log in.")
    private String name = "";

    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE",
        description = "What one may: ${COMPLETION-CANDIDATES}.")
    private CenterAccessCommands.Role role = CenterAccessCommands.Role.viewer;

    @Mixin
    private final CenterAccessCommands.SitesOption sites = new CenterAccessCommands.SitesOption();

    Add(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      show(answers, center.addPerson(name, role.name(), sites.names()));
    }
  }

  /** {@code sedge center person role}. */
  @Command(
      name = "role",
      header = "Gives a person another role, from the next request on.",
      description = {"Without --site the sites stay those of before; --site '*' is all."},
      footer = {
        "Examples:",
        "  sedge center person role anna admin",
        "  sedge center person role bob engineer --site north --site south"
      })
  static final class RoleCommand extends CenterCommand.Answering {
    @Mixin private final RoleParameters to = new RoleParameters();

    RoleCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      to.done(this, answers, center.personRole(to.name(), to.role(), to.sites()).sites());
    }
  }

  /** {@code sedge center person reset}. */
  @Command(
      name = "reset",
      header = "Makes a new link in place of a person's password.",
      description = {"The password is worth nothing from then on, and the person is logged out."},
      footer = {"Example:", "  sedge center person reset anna"})
  static final class Reset extends Linking {
    @Parameters(paramLabel = "NAME", description = "As `sedge center person list` names them.")
    private String name = "";

    Reset(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      show(answers, center.resetPerson(name));
    }
  }

  /** {@code sedge center person remove}. */
  @Command(
      name = "remove",
      header = "Removes a person, who is logged out at once.",
      description = {
        "Who logs in at a provider is shut out, whatever the provider says, and stays in the list.",
        "Removed once more, the person is forgotten, and may come again as somebody new."
      },
      footer = {"Example:", "  sedge center person remove anna"})
  static final class Remove extends CenterCommand.Answering {
    @Parameters(paramLabel = "NAME", description = "As `sedge center person list` names them.")
    private String name = "";

    Remove(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      boolean forgotten =
          center.people().stream()
              .anyMatch(person -> person.shutOut() && person.name().equals(name));
      center.removePerson(name, forgotten);
      done(
          answers,
          (forgotten
                  ? "%s is forgotten, and may come again if the login provider lets that person in"
                  : "%s may not log in any more")
              .formatted(name),
          Map.of("name", name, "done", "remove"));
    }
  }
}
