// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// node validate.mjs KIND FILE...: checks files that gordian has written, with schemas and readers
// that others maintain. Prints what is wrong and exits with 1. Kinds: sarif, gitlab, github, tap,
// markdown, workflow (of GitHub), gitlab-ci, jenkinsfile (as Groovy: what Jenkins makes of the words in
// it, only a Jenkins knows).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import Ajv from "ajv";
import addFormats from "ajv-formats";
import * as core from "@actions/core";
import MarkdownIt from "markdown-it";
import { Parser } from "tap-parser";
import { Language, Parser as TreeParser } from "web-tree-sitter";
import { parse as parseYaml } from "yaml";

const resolve = createRequire(import.meta.url).resolve;
const schemas = join(dirname(resolve("schemastore/package.json")), "schemas/json");

function errorsBySchema(schema, value) {
  const ajv = new Ajv({
    strict: false, allErrors: true, logger: false, unicodeRegExp: false,
  });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return validate.errors.map((error) => `${error.instancePath}: ${error.message}`);
}

const stored = (name) => JSON.parse(readFileSync(join(schemas, name), "utf8"));

// What GitLab's documentation asks of a code quality report.
const gitlabIssues = {
  type: "array",
  items: {
    type: "object",
    required: ["description", "check_name", "fingerprint", "severity", "location"],
    properties: {
      description: { type: "string", minLength: 1 },
      check_name: { type: "string", minLength: 1 },
      fingerprint: { type: "string", pattern: "^[0-9a-f]{32,}$" },
      severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
      location: {
        type: "object",
        required: ["path", "lines"],
        properties: {
          path: { type: "string", pattern: "^(?!/|\\./|\\.\\./).+" },
          lines: {
            type: "object",
            required: ["begin"],
            properties: { begin: { type: "integer", minimum: 1 } },
          },
        },
      },
    },
  },
};

function gitlab(text) {
  const issues = JSON.parse(text);
  const errors = errorsBySchema(gitlabIssues, issues);
  if (new Set(issues.map((issue) => issue.fingerprint)).size !== issues.length) {
    errors.push("two issues have one fingerprint: GitLab would show one of them");
  }
  return errors;
}

const unescaped = (text) =>
  text.replace(/%(25|0D|0A|3A|2C)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));

/** What @actions/core itself would print for the same annotation. */
function issuedByCore(command, properties, message) {
  const printed = [];
  const write = process.stdout.write;
  process.stdout.write = (chunk) => printed.push(chunk) > 0;
  try {
    core[command](message, {
      title: properties.title,
      file: properties.file,
      startLine: properties.line,
    });
  } finally {
    process.stdout.write = write;
  }
  return printed.join("");
}

function github(text) {
  const errors = [];
  for (const line of text.split("\n").slice(0, -1)) {
    const parts = /^::(error|warning|notice) (.*?)::(.*)$/s.exec(line);
    if (!parts) {
      errors.push(`no command: ${line.slice(0, 200)}`);
      continue;
    }
    const properties = Object.fromEntries(
      parts[2].split(",").map((pair) => {
        const at = pair.indexOf("=");
        return [pair.slice(0, at), unescaped(pair.slice(at + 1))];
      }));
    const again = issuedByCore(parts[1], properties, unescaped(parts[3]));
    if (again !== `${line}\n`) {
      errors.push(`core would print ${again.slice(0, 500)} instead of ${line.slice(0, 500)}`);
    }
  }
  return errors;
}

function tap(text) {
  const errors = [];
  const points = Parser.parse(text);
  const final = points.find(([name]) => name === "complete")[1];
  for (const failure of final.failures) if (failure.tapError) errors.push(failure.tapError);
  for (const [name, what] of points) if (name === "extra") errors.push(`no TAP: ${what}`);
  for (const point of points.filter(([name]) => name === "assert").map(([, value]) => value)) {
    if (!point.ok && !point.diag) errors.push(`no diagnostics: ${point.name}`);
  }
  return errors;
}

/** Raw HTML of ours is <details>, <summary> and <code>; no other may come out of a name or a message. */
function markdown(text) {
  const md = new MarkdownIt({ html: true });
  const errors = [];
  const visit = (tokens) => {
    for (const token of tokens) {
      if (token.type === "html_block" || token.type === "html_inline") {
        const rest = token.content.replace(/<\/?(details|summary|code)>/g, "");
        if (/[<>]/.test(rest)) errors.push(`HTML: ${token.content}`);
      }
      if (token.type === "link_open" || token.type === "image") errors.push("a link");
      if (token.children) visit(token.children);
    }
  };
  const tokens = md.parse(text, {});
  visit(tokens);
  for (let at = 0, columns = 0, cells = 0; at < tokens.length; ++at) {
    const { type } = tokens[at];
    if (type === "table_open") columns = 0;
    if (type === "tr_open") cells = 0;
    if (type === "th_open") ++columns;
    if (type === "td_open") ++cells;
    if (type === "tr_close" && cells > 0 && cells !== columns) errors.push("a ragged table");
  }
  return errors;
}

async function jenkinsfile(text) {
  await TreeParser.init();
  const parser = new TreeParser();
  parser.setLanguage(await Language.load(resolve("tree-sitter-groovy/tree-sitter-groovy.wasm")));
  const errors = [];
  const visit = (node) => {
    const line = `line ${node.startPosition.row + 1}`;
    if (node.isMissing) errors.push(`${line}: ${node.type} is missing`);
    if (node.isError) errors.push(`${line}: no Groovy`);
    node.children.forEach(visit);
  };
  visit(parser.parse(text).rootNode);
  return errors;
}

const checks = {
  sarif: (text) => errorsBySchema(stored("sarif-2.1.0.json"), JSON.parse(text)),
  gitlab,
  github,
  tap,
  markdown,
  jenkinsfile,
  workflow: (text) => errorsBySchema(stored("github-workflow.json"), parseYaml(text)),
  "gitlab-ci": (text) => errorsBySchema(stored(join("gitlab.com/gitlab-org/gitlab/-/raw/master",
    "app/assets/javascripts/editor/schema/ci.json")), parseYaml(text)),
};

const [kind, ...files] = process.argv.slice(2);
let failed = files.length === 0;
for (const file of files) {
  for (const error of await checks[kind](readFileSync(file, "utf8"))) {
    console.error(`${file}: ${error}`);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
