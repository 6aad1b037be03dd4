"use strict";
// The page is whole without this: sorting, filtering, and choosing a pair come with it.
(() => {
  const collator = new Intl.Collator("en", { numeric: true });
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Sorting. A cell's value stands in data-v; one that is not known comes last either way.
  const value = (row, column, numeric) => {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? cell.textContent.trim();
    return text === "" ? null : numeric ? Number(text) : text;
  };

  const sort = (table, head) => {
    const numeric = head.dataset.sort === "number";
    const before = head.getAttribute("aria-sort");
    // A first press puts the largest number, or the first word, on top.
    const down = before ? before === "ascending" : numeric;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, head.cellIndex, numeric), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      const order = numeric ? a - b : collator.compare(a, b);
      return down ? -order : order;
    });
    for (const other of all("th[aria-sort]", table)) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  };

  for (const table of all("table[data-sortable]")) {
    for (const head of all("th[data-sort]", table)) {
      const button = document.createElement("button");
      button.type = "button";
      const words = document.createElement("span");
      words.append(...head.childNodes);
      button.append(words);
      button.addEventListener("click", () => sort(table, head));
      head.append(button);
    }
  }

  // Filtering the matrix.
  for (const section of all("[data-matrix]")) {
    const rows = all("tbody tr", section).map((row) => ({
      row,
      text: row.cells[0].textContent.toLowerCase(),
      tags: new Set(row.dataset.tags.split(" ")),
      disagree: "disagree" in row.dataset,
    }));
    const control = (name) => section.querySelector(`[data-filter="${name}"]`);
    const [text, tag, disagree] = ["text", "tag", "disagree"].map(control);
    const status = section.querySelector("[data-status]");
    const filter = () => {
      const wanted = text.value.trim().toLowerCase();
      let shown = 0;
      for (const one of rows) {
        const fits =
          (!wanted || one.text.includes(wanted)) &&
          (!tag || !tag.value || one.tags.has(tag.value)) &&
          (!disagree.checked || one.disagree);
        one.row.hidden = !fits;
        shown += fits;
      }
      status.textContent = `${shown} of ${rows.length} cases`;
    };
    for (const one of [text, tag, disagree]) one?.addEventListener("input", filter);
    filter();
  }

  // One pair's transitions at a time.
  for (const section of all("[data-choice]")) {
    const choose = section.querySelector("[data-choose]");
    const panels = all("[data-panel]", section);
    const show = () => {
      for (const panel of panels) panel.hidden = panel.id !== choose.value;
    };
    choose.addEventListener("input", show);
    show();
  }

  for (const section of all("[data-entries]")) {
    const entries = all("details.entry", section);
    for (const button of all("[data-fold]", section)) {
      button.addEventListener("click", () => {
        for (const entry of entries) entry.open = button.dataset.fold === "open";
      });
    }
  }

  for (const controls of all(".controls")) controls.hidden = false;

  // A link to a case opens it.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.matches("details.entry")) return;
    target.open = true;
    target.querySelector("summary").focus({ preventScroll: true });
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  // The same link again changes no address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#case-"]');
    if (link && link.hash === location.hash) reveal();
  });
  reveal();

  addEventListener("beforeprint", () => {
    for (const folded of all("details.essential")) folded.open = true;
  });
  document.documentElement.dataset.ready = "";
})();
