// A packing line as a Sparkplug B edge node of sparkplug-client, with one device. Broker: the first argument.
// Its group is plant, its name line1. The speed swings between 40 and 60, the device counts boxes.
const { newClient } = require("sparkplug-client");

const client = newClient({
  serverUrl: process.argv[2] ?? "mqtt://127.0.0.1:1883",
  username: "",
  password: "",
  groupId: "plant",
  edgeNode: "line1",
  clientId: "line1-" + process.pid,
});
let seconds = 0;
let boxes = 0;
let born = false;

const node = () => [{ name: "Speed", type: "Double", value: 50 + 10 * Math.sin(seconds / 10), timestamp: Date.now() }];
const packer = () => [{ name: "Boxes", type: "Int32", value: boxes, timestamp: Date.now() }];

client.on("birth", () => {
  const rebirth = { name: "Node Control/Rebirth", type: "Boolean", value: false };
  client.publishNodeBirth({ timestamp: Date.now(), metrics: [...node(), rebirth] });
  client.publishDeviceBirth("packer", { timestamp: Date.now(), metrics: packer() });
  born = true;
  console.log("born");
});
client.on("ncmd", (command) => {
  if (command.metrics.some((metric) => metric.name === "Node Control/Rebirth" && metric.value)) {
    client.emit("birth");
  }
});
client.on("close", () => {
  born = false;
});
setInterval(() => {
  seconds += 0.5;
  boxes += seconds % 2 === 0 ? 1 : 0;
  if (born) {
    client.publishNodeData({ timestamp: Date.now(), metrics: node() });
    if (seconds % 2 === 0) {
      client.publishDeviceData("packer", { timestamp: Date.now(), metrics: packer() });
    }
  }
}, 500);
