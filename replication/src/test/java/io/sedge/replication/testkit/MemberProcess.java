package io.sedge.replication.testkit;

import io.sedge.ledger.Channel;
import io.sedge.ledger.SiteState;
import io.sedge.replication.Invitation;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.Member;
import io.sedge.replication.MemberOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * A member in a process of its own, with 64 MB of heap: {@code DIRECTORY NAME PORT found|join|open
 * [SITE VOTER]}. It takes orders from standard input, one a line, and answers each with a line.
 */
public final class MemberProcess {
  private MemberProcess() {}

  public static void main(String[] args) throws Exception {
    MemberOptions options =
        new MemberOptions(
            Path.of(args[0]),
            args[1],
            Members.HOST,
            Integer.parseInt(args[2]),
            Optional.empty(),
            MemberOptions.DEFAULT_ELECTION_TIMEOUT,
            MemberOptions.DEFAULT_OUTSTANDING_BYTES,
            1,
            1 << 20,
            (severity, message) -> System.err.println(args[1] + " " + severity + " " + message));
    LedgerMember member =
        switch (args[3]) {
          case "found" -> LedgerMember.found(options);
          case "join" ->
              LedgerMember.join(
                  options, new Invitation(UUID.fromString(args[4]), Boolean.parseBoolean(args[5])));
          default -> LedgerMember.open(options);
        };
    try (member) {
      answer("ready %s %s".formatted(member.self().id(), member.invite().site()));
      BufferedReader orders =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        answer(obey(member, line.split(" ", -1)));
      }
    }
  }

  private static String obey(LedgerMember member, String[] order) throws IOException {
    switch (order[0]) {
      case "add" -> {
        try {
          member.add(
              new Member(order[1], order[2], Boolean.parseBoolean(order[3])), Members.TIMEOUT);
          return "added";
        } catch (LedgerException e) {
          return "failed " + e.getMessage();
        }
      }
      case "leads" -> {
        return "leads " + member.isLeader();
      }
      case "state" -> {
        return member.read(MemberProcess::checksum);
      }
      default -> throw new IllegalArgumentException(order[0]);
    }
  }

  /** Index and checksum of what tasks and outbox hold. */
  public static String checksum(SiteState state) {
    CRC32 checksum = new CRC32();
    for (var task : state.tasks()) {
      checksum.update(task.toString().getBytes(StandardCharsets.UTF_8));
      state
          .state(task.id())
          .forEach(
              entry -> {
                checksum.update(entry.getKey());
                checksum.update(entry.getValue());
              });
    }
    for (var job : state.jobs()) {
      checksum.update(job.toString().getBytes(StandardCharsets.UTF_8));
      state
          .rows(job.name(), Channel.OUTBOX, 0, Integer.MAX_VALUE)
          .forEach(entry -> checksum.update(entry.rows().bytes()));
    }
    return "state %d %x".formatted(state.appliedIndex(), checksum.getValue());
  }

  private static void answer(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
