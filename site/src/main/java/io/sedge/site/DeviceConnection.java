package io.sedge.site;

import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.control.RemoteControl;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A device that runs in another process of this machine. Any thread; one call at a time. */
public interface DeviceConnection extends SiteControl, AutoCloseable {
  /**
   * Connects to the device of a data directory.
   *
   * @throws SiteException DEVICE_NOT_RUNNING if none runs there
   */
  static DeviceConnection to(Path data) throws SiteException {
    return to(data, _ -> {});
  }

  /**
   * The same, for people, who wonder when nothing happens.
   *
   * @param listener hears, in a thread of its own, that an answer takes long
   * @throws SiteException DEVICE_NOT_RUNNING if none runs there
   */
  static DeviceConnection to(Path data, Consumer<String> listener) throws SiteException {
    return RemoteControl.connect(data, listener);
  }

  @Override
  void close();
}
