// Reads an index with halfred, validation on, and prints what it made of it.
// usage: node halfred.mjs FILE
import { readFileSync } from "node:fs";
import halfred from "halfred";

halfred.enableValidation();
const resource = halfred.parse(JSON.parse(readFileSync(process.argv[2], "utf8")));
const chunks = resource.embeddedResource("chunks");
console.log(JSON.stringify({
  issues: resource.validationIssues(),
  chunkIssues: chunks.validationIssues(),
  topicIssues: (resource.embeddedResourceArray("topics") ?? []).flatMap((topic) => topic.validationIssues()),
  title: resource.title,
  items: resource.linkArray("item").map((link) => link.href),
  topics: (resource.embeddedResourceArray("topics") ?? []).map((topic) => topic.link("self").href),
  self: chunks.link("self").href,
  documents: Object.keys(chunks.original()).filter((key) => key !== "_links"),
  ownRelation: resource.hasCuries() ? resource.reverseResolveCurie(resource.curie("infograph").href.replace("{rel}", "keywords")) : null,
}));
