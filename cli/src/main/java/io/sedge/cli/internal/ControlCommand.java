package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.task.JobException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks a device that runs on this machine. */
abstract class ControlCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final DataDirectory data = new DataDirectory();

  @Mixin private final AnswerOption output = new AnswerOption();

  ControlCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException, ScriptRefusedException, InterruptedException {
    try (DeviceConnection site =
        DeviceConnection.to(
            data.path(surroundings), late -> surroundings.err().println("sedge: " + late))) {
      ask(site, new Answers(surroundings.out()));
    } catch (JobException e) {
      throw new SiteException(e.code(), String.valueOf(e.getMessage()), e);
    }
    return 0;
  }

  abstract void ask(DeviceConnection site, Answers answers)
      throws SiteException, ScriptRefusedException, JobException, InterruptedException;

  Surroundings surroundings() {
    return surroundings;
  }

  boolean wantsJson() {
    return output.wantsJson();
  }

  /** Something that takes a while begins; only in a terminal. */
  void progress(String doing) {
    if (surroundings.errIsTerminal()) {
      surroundings.err().println("sedge: " + doing + " ...");
    }
  }

  /** It was done: a line for people, an object for programs. */
  void done(Answers answers, String what, Map<String, ?> object) {
    if (wantsJson()) {
      answers.json(object);
    } else {
      surroundings.err().println("sedge: " + what);
    }
  }
}
