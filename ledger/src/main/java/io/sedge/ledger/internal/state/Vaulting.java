package io.sedge.ledger.internal.state;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Secret;
import java.util.Map;

/** Carries out what is said of secrets. */
final class Vaulting {
  private final Site site;

  Vaulting(Site site) {
    this.site = site;
  }

  Answer carryOut(Command.OfSecrets command) {
    return switch (command) {
      case Command.AnnounceKey announce -> announce(announce);
      case Command.SetSecret set -> set(set);
      case Command.ShareSecret share -> share(share);
      case Command.RemoveSecret remove -> remove(remove);
    };
  }

  private Answer announce(Command.AnnounceKey command) {
    DeviceEntry device = site.devices.get(command.device());
    if (device == null) {
      return refused(Refusal.UNKNOWN_DEVICE, 0);
    }
    if (device.state == DeviceState.EXPELLED) {
      return refused(Refusal.EXPELLED, 0);
    }
    site.vault.announce(command.device(), command.key());
    return done(0);
  }

  private Answer set(Command.SetSecret command) {
    Vault.Entry before = site.vault.secrets.get(command.secret());
    if (before == null && site.vault.secrets.size() >= Secret.MAX_SECRETS) {
      return refused(Refusal.TOO_LARGE, Secret.MAX_SECRETS);
    }
    // The index is higher than at any time before, also where the secret was removed since.
    Vault.Entry entry =
        new Vault.Entry(command.secret(), site.appliedIndex, command.atMillis(), command.sealed());
    for (Map.Entry<String, Secret.Share> share : command.shares().entrySet()) {
      if (site.vault.isKeyOf(share.getKey(), share.getValue().recipient())) {
        entry.shares.put(share.getKey(), share.getValue().bytes());
      }
    }
    if (entry.shares.isEmpty()) {
      return refused(Refusal.NOT_NOW, 0);
    }
    site.vault.secrets.put(entry.name, entry);
    return done(entry.version);
  }

  private Answer share(Command.ShareSecret command) {
    Vault.Entry entry = site.vault.secrets.get(command.secret());
    long version = entry == null ? 0 : entry.version;
    if (entry == null || version != command.version()) {
      return refused(Refusal.WRONG_SEQUENCE, version);
    }
    if (!site.vault.isKeyOf(command.device(), command.share().recipient())) {
      return refused(Refusal.NOT_NOW, 0);
    }
    entry.shares.putIfAbsent(command.device(), command.share().bytes());
    return done(0);
  }

  private Answer remove(Command.RemoveSecret command) {
    site.vault.secrets.remove(command.secret());
    return done(0);
  }

  private Answer done(long value) {
    return new Answer.Done(site.appliedIndex, value);
  }

  private static Answer refused(Refusal reason, long value) {
    return new Answer.Refused(reason, value);
  }
}
