package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.site.api.SiteException;
import io.sedge.task.JobException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that asks a center. */
abstract class CenterCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final CenterAddress address = new CenterAddress();

  CenterCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** One whose answer is text or JSON. */
  abstract static class Answering extends CenterCommand {
    @Mixin private final AnswerOption output = new AnswerOption();

    Answering(Surroundings surroundings) {
      super(surroundings);
    }

    boolean wantsJson() {
      return output.wantsJson();
    }

    /** One thing: lines for people, an object for programs. */
    void show(Answers answers, Object object, List<String> lines) {
      if (wantsJson()) {
        answers.json(object);
      } else {
        answers.text(String.join("\n", lines));
      }
    }

    /**
     * Several things: a table for people, an object a line for programs.
     *
     * @param none what is said to people if there are none
     */
    void showAll(Answers answers, List<?> objects, TextTable table, String none) {
      if (wantsJson()) {
        objects.forEach(answers::json);
      } else if (objects.isEmpty()) {
        say(none);
      } else {
        answers.text(String.join("\n", table.lines()));
      }
    }

    /** It was done: a line for people, an object for programs. */
    void done(Answers answers, String what, Map<String, ?> object) {
      if (wantsJson()) {
        answers.json(object);
      } else {
        say(what);
      }
    }

    /** Said to people alone. */
    void remark(String what) {
      if (!wantsJson()) {
        say(what);
      }
    }
  }

  @Override
  public Integer call() throws SiteException, ScriptRefusedException, InterruptedException {
    try (CenterClient center = address.client(surroundings)) {
      ask(center, new Answers(surroundings.out()));
    } catch (CenterException e) {
      throw new SiteException(e.code(), String.valueOf(e.getMessage()), e);
    } catch (JobException e) {
      throw new SiteException(e.code(), String.valueOf(e.getMessage()), e);
    }
    return 0;
  }

  abstract void ask(CenterClient center, Answers answers)
      throws CenterException,
          SiteException,
          ScriptRefusedException,
          JobException,
          InterruptedException;

  Surroundings surroundings() {
    return surroundings;
  }

  void say(String what) {
    surroundings.err().println("sedge: " + what);
  }

  /** A time to the second; {@code -} for none. */
  static String time(@Nullable Long millis) {
    return millis == null
        ? "-"
        : Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
