package io.sedge.ledger.internal.state;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Token;
import java.util.concurrent.TimeUnit;

/** Carries out what is said of devices and of the tokens that let them in. */
final class DeviceRegistry {
  /** Until then whoever shows a token that has ended is told so. */
  private static final long KEPT_MILLIS = TimeUnit.DAYS.toMillis(1);

  private final Site site;

  DeviceRegistry(Site site) {
    this.site = site;
  }

  Answer register(Command.RegisterDevice register) {
    if (Format.of(register.labels()) < site.format) {
      return refused(Refusal.OLD_FORMAT, site.format);
    }
    DeviceEntry device = site.devices.get(register.device());
    if (device == null) {
      if (site.devices.size() >= site.limits.devices()) {
        return refused(Refusal.TOO_LARGE, site.limits.devices());
      }
      site.membershipVersion++;
      site.devices.put(
          register.device(),
          new DeviceEntry(register.device(), register.address(), register.labels()));
      return done(0);
    }
    if (device.state == DeviceState.EXPELLED) {
      return refused(Refusal.EXPELLED, 0);
    }
    site.membershipVersion++;
    device.address = register.address();
    device.labels = register.labels();
    return done(0);
  }

  Answer report(Command.ReportDevice report) {
    DeviceEntry device = site.devices.get(report.device());
    if (device == null) {
      return refused(Refusal.UNKNOWN_DEVICE, 0);
    }
    if (device.state == DeviceState.EXPELLED) {
      return refused(Refusal.EXPELLED, 0);
    }
    device.heard++;
    device.heardAtMillis = report.atMillis();
    device.stopped = report.last();
    return done(device.heard);
  }

  Answer measure(Command.MeasureDevice measure) {
    DeviceEntry device = site.devices.get(measure.device());
    if (device == null) {
      return refused(Refusal.UNKNOWN_DEVICE, 0);
    }
    device.measures = measure.measures();
    return done(0);
  }

  Answer setState(Command.SetDeviceState command) {
    DeviceEntry device = site.devices.get(command.device());
    if (device == null) {
      return refused(Refusal.UNKNOWN_DEVICE, 0);
    }
    site.membershipVersion++;
    device.state = command.state();
    if (device.state == DeviceState.EXPELLED) {
      site.vault.shutOut(command.device());
    }
    return done(0);
  }

  Answer remove(Command.RemoveDevice command) {
    if (!site.devices.containsKey(command.device())) {
      return refused(Refusal.UNKNOWN_DEVICE, 0);
    }
    if (site.tasks.values().stream().anyMatch(task -> task.device.equals(command.device()))) {
      return refused(Refusal.NOT_NOW, 0);
    }
    site.membershipVersion++;
    site.devices.remove(command.device());
    site.vault.shutOut(command.device());
    if (!command.key().isEmpty()) {
      site.shutOut(command.key());
    }
    return done(0);
  }

  Answer add(Command.AddToken command) {
    site.tokens.values().removeIf(token -> token.endMillis() < command.atMillis() - KEPT_MILLIS);
    if (site.tokens.size() >= Command.AddToken.MAX_TOKENS) {
      return refused(Refusal.TOO_LARGE, Command.AddToken.MAX_TOKENS);
    }
    site.membershipVersion++;
    site.tokens.put(command.hash(), new Token(command.hash(), command.endMillis(), ""));
    return done(0);
  }

  Answer enrol(Command.EnrolDevice command) {
    Token token = site.tokens.get(command.token());
    if (token == null) {
      return refused(Refusal.NOT_NOW, 0);
    }
    if (command.version() != site.membershipVersion) {
      return refused(Refusal.WRONG_SEQUENCE, site.membershipVersion);
    }
    Answer answer = register(command.registration());
    if (answer.isDone()) {
      site.tokens.put(token.hash(), new Token(token.hash(), token.endMillis(), command.key()));
    }
    return answer;
  }

  Answer raise(Command.RaiseFormat command) {
    boolean readByAll =
        site.devices.values().stream()
            .filter(device -> device.state != DeviceState.EXPELLED)
            .allMatch(device -> Format.of(device.labels) >= command.format());
    if (command.format() <= site.format || !readByAll) {
      return refused(Refusal.NOT_NOW, site.format);
    }
    site.format = command.format();
    return done(0);
  }

  private Answer done(long value) {
    return new Answer.Done(site.appliedIndex, value);
  }

  private static Answer refused(Refusal reason, long value) {
    return new Answer.Refused(reason, value);
  }
}
