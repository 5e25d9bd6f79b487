package io.sedge.connector.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What the user {@code plant} may do with topics. */
final class Rights {
  private Rights() {}

  static void allow(Map<String, Object> admin, String topic, String operation) {
    try (Admin client = Admin.create(admin)) {
      client
          .createAcls(
              List.of(
                  new AclBinding(
                      new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                      new AccessControlEntry(
                          "User:plant",
                          "*",
                          AclOperation.fromString(operation),
                          AclPermissionType.ALLOW))))
          .all()
          .get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
