"use strict";
// The page is whole without this: it adds filters, folding of all claims, and unfolding for print.
(() => {
  const form = document.getElementById("filters");
  const claims = [...document.querySelectorAll("details.claim")];
  const texts = new Map(claims.map((c) => [c, c.textContent.toLowerCase()]));
  if (!form) return;

  const apply = () => {
    const data = new FormData(form);
    const truths = new Set(data.getAll("truth"));
    const side = data.get("agreement");
    const words = data.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const claim of claims) {
      const text = texts.get(claim);
      const fits = truths.has(claim.dataset.truth) && (!side || claim.dataset.agreement === side)
        && words.every((w) => text.includes(w));
      claim.hidden = !fits;
      shown += fits;
    }
    for (const group of document.querySelectorAll(".group")) {
      group.hidden = !group.querySelector("details.claim:not([hidden])");
    }
    form.elements.shown.value = `${shown} of ${claims.length} claims`;
  };

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  for (const button of form.querySelectorAll("[data-fold]")) {
    button.addEventListener("click", () => {
      for (const claim of claims) claim.open = button.dataset.fold === "open" && !claim.hidden;
    });
  }

  // A link to a claim shows it even where a filter hides it.
  const reveal = () => {
    const claim = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details.claim");
    if (!claim) return;
    if (claim.hidden) { form.reset(); apply(); }
    claim.open = true;
    claim.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const part of folded) part.open = true;
  });
  addEventListener("afterprint", () => { for (const part of folded) part.open = false; });
})();
