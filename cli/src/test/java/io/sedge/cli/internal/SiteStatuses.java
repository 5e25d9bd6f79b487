package io.sedge.cli.internal;

import io.sedge.alarm.AlarmCounts;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.ProcessUse;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.LedgerStatus;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TaskStatus;
import java.util.List;
import java.util.Map;

/** What sites say of themselves, where little of it matters. */
final class SiteStatuses {
  private SiteStatuses() {}

  static SiteStatus site(List<DeviceStatus> devices, List<TaskStatus> tasks) {
    LedgerStatus ledger = new LedgerStatus(1, 1, 1, 0, 0, 0, 0, 0);
    return new SiteStatus("s", "x", "x", 0, devices, List.of(), tasks, ledger, AlarmCounts.NONE);
  }

  static DeviceStatus device(
      String name, DeviceState state, boolean alive, boolean authority, int tasks) {
    return new DeviceStatus(
        name,
        "127.0.0.1:1",
        state,
        alive,
        false,
        0,
        true,
        true,
        authority,
        0,
        0,
        0,
        tasks,
        Map.of(),
        ProcessUse.UNKNOWN,
        "1");
  }
}
