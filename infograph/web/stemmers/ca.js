/*!
The stemmers that infograph publishes for infograph.js are translations of those in the package snowballstemmer, which
Snowball (https://snowballstem.org/) generated; infograph/stemming/translation.py makes them. Snowball's licence:

Copyright (c) 2001, Dr Martin Porter
Copyright (c) 2004,2005, Richard Boulton
Copyright (c) 2013, Yoshiki Shibukawa
Copyright (c) 2006-2025, Olly Betts
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

  1. Redistributions of source code must retain the above copyright notice,
     this list of conditions and the following disclaimer.
  2. Redistributions in binary form must reproduce the above copyright notice,
     this list of conditions and the following disclaimer in the documentation
     and/or other materials provided with the distribution.
  3. Neither the name of the Snowball project nor the names of its contributors
     may be used to endorse or promote products derived from this software
     without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

/** The word that a Snowball program works on, in characters, and the commands of such a program. */
class Machine {
  stem(word) {
    this.current = [...word];
    this.cursor = this.limit_backward = this.bra = 0;
    this.limit = this.ket = this.current.length;
    this._stem();
    return this.current.join("");
  }

  in_grouping(group) {
    return this.step(this.cursor < this.limit && group.has(this.current[this.cursor]), 1);
  }

  out_grouping(group) {
    return this.step(this.cursor < this.limit && !group.has(this.current[this.cursor]), 1);
  }

  in_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && group.has(this.current[this.cursor - 1]), -1);
  }

  out_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && !group.has(this.current[this.cursor - 1]), -1);
  }

  step(taken, by) {
    if (taken) this.cursor += by;
    return taken;
  }

  go_in_grouping(group) {
    while (this.in_grouping(group));
    return this.cursor < this.limit;
  }

  go_out_grouping(group) {
    while (this.out_grouping(group));
    return this.cursor < this.limit;
  }

  go_in_grouping_b(group) {
    while (this.in_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  go_out_grouping_b(group) {
    while (this.out_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  eq_s(text) {
    const end = this.cursor + [...text].length;
    if (end > this.limit || this.between(this.cursor, end) !== text) return false;
    this.cursor = end;
    return true;
  }

  eq_s_b(text) {
    const start = this.cursor - [...text].length;
    if (start < this.limit_backward || this.between(start, this.cursor) !== text) return false;
    this.cursor = start;
    return true;
  }

  find_among({ sizes, places, rows }) {
    const start = this.cursor;
    for (const size of sizes) {
      const place = start + size <= this.limit ? places.get(this.between(start, start + size)) : undefined;
      if (place !== undefined) return this.among(rows, place, start, 1);
    }
    return 0;
  }

  find_among_b({ sizes, places, rows }) {
    const end = this.cursor;
    for (const size of sizes) {
      const place = end - size >= this.limit_backward ? places.get(this.between(end - size, end)) : undefined;
      if (place !== undefined) return this.among(rows, place, end, -1);
    }
    return 0;
  }

  /** The result of the first row, from a place on, whose condition holds; each says which one is next. */
  among(rows, place, from, direction) {
    while (place >= 0) {
      const [text, next, result, condition] = rows[place];
      const to = from + direction * [...text].length;
      this.cursor = to;
      if (!condition || this[condition]()) {
        this.cursor = to;
        return result;
      }
      place = next;
    }
    return 0;
  }

  between(start, end) {
    return this.current.slice(start, end).join("");
  }

  slice_to() {
    return this.between(this.bra, this.ket);
  }

  slice_from(text) {
    this.replace(this.bra, this.ket, text);
    this.ket = this.bra + [...text].length;
  }

  slice_del() {
    this.slice_from("");
  }

  insert(start, end, text) {
    const longer = this.replace(start, end, text);
    if (start <= this.bra) this.bra += longer;
    if (start <= this.ket) this.ket += longer;
  }

  replace(start, end, text) {
    const letters = [...text];
    const longer = letters.length - (end - start);
    this.current.splice(start, end - start, ...letters);
    this.limit += longer;
    if (this.cursor >= end) this.cursor += longer;
    else if (this.cursor > start) this.cursor = start;
    return longer;
  }
}

/** The rows of a Snowball `among`: text, place of the longest other row that it begins (or ends) with, result, condition. */
function table(...rows) {
  const sizes = [...new Set(rows.map(([text]) => [...text].length))].sort((a, b) => b - a);
  return { rows, sizes, places: new Map(rows.map(([text], place) => [text, place])) };
}

class CatalanStemmer extends Machine {
  g_v = new Set("aeiouàáèéíïòóúü");
  I_p2 = 0;
  I_p1 = 0;

  r_mark_regions() {
    let $v_1;
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p1 = this.cursor;
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p2 = this.cursor;
    }
    this.cursor = $v_1;
    return true;
  }

  r_cleaning() {
    let $among_var, $v_1;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        this.bra = this.cursor;
        $among_var = this.find_among(this.a_0);
        this.ket = this.cursor;
        if ($among_var === 1) {
          this.slice_from("a");
        } else if ($among_var === 2) {
          this.slice_from("e");
        } else if ($among_var === 3) {
          this.slice_from("i");
        } else if ($among_var === 4) {
          this.slice_from("o");
        } else if ($among_var === 5) {
          this.slice_from("u");
        } else if ($among_var === 6) {
          this.slice_from(".");
        } else {
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_1;
      break;
    }
    return true;
  }

  r_R1() {
    return this.I_p1 <= this.cursor;
  }

  r_R2() {
    return this.I_p2 <= this.cursor;
  }

  r_attached_pronoun() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_1) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_standard_suffix() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_2);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 3) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("log");
    } else if ($among_var === 4) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("ic");
    } else {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("c");
    }
    return true;
  }

  r_verb_suffix() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_3);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
    } else {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_residual_suffix() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_4);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
    } else {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_from("ic");
    }
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4, $v_5;
    this.r_mark_regions();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_1 = this.limit - this.cursor;
    this.r_attached_pronoun();
    this.cursor = this.limit - $v_1;
    $v_2 = this.limit - this.cursor;
    lab0: {
      while (true) {
        $v_3 = this.limit - this.cursor;
        lab1: {
          if (!this.r_standard_suffix()) {
            break lab1;
          }
          break;
        }
        this.cursor = this.limit - $v_3;
        if (!this.r_verb_suffix()) {
          break lab0;
        }
        break;
      }
    }
    this.cursor = this.limit - $v_2;
    $v_4 = this.limit - this.cursor;
    this.r_residual_suffix();
    this.cursor = this.limit - $v_4;
    this.cursor = this.limit_backward;
    $v_5 = this.cursor;
    this.r_cleaning();
    this.cursor = $v_5;
    return true;
  }
  a_0 = table(
    ["", -1, 7],
    ["·", 0, 6],
    ["à", 0, 1],
    ["á", 0, 1],
    ["è", 0, 2],
    ["é", 0, 2],
    ["ì", 0, 3],
    ["í", 0, 3],
    ["ï", 0, 3],
    ["ò", 0, 4],
    ["ó", 0, 4],
    ["ú", 0, 5],
    ["ü", 0, 5],
  );
  a_1 = table(
    ["la", -1, 1],
    ["-la", 0, 1],
    ["sela", 0, 1],
    ["le", -1, 1],
    ["me", -1, 1],
    ["-me", 4, 1],
    ["se", -1, 1],
    ["-te", -1, 1],
    ["hi", -1, 1],
    ["'hi", 8, 1],
    ["li", -1, 1],
    ["-li", 10, 1],
    ["'l", -1, 1],
    ["'m", -1, 1],
    ["-m", -1, 1],
    ["'n", -1, 1],
    ["-n", -1, 1],
    ["ho", -1, 1],
    ["'ho", 17, 1],
    ["lo", -1, 1],
    ["selo", 19, 1],
    ["'s", -1, 1],
    ["las", -1, 1],
    ["selas", 22, 1],
    ["les", -1, 1],
    ["-les", 24, 1],
    ["'ls", -1, 1],
    ["-ls", -1, 1],
    ["'ns", -1, 1],
    ["-ns", -1, 1],
    ["ens", -1, 1],
    ["los", -1, 1],
    ["selos", 31, 1],
    ["nos", -1, 1],
    ["-nos", 33, 1],
    ["vos", -1, 1],
    ["us", -1, 1],
    ["-us", 36, 1],
    ["'t", -1, 1],
  );
  a_2 = table(
    ["ica", -1, 4],
    ["lógica", 0, 3],
    ["enca", -1, 1],
    ["ada", -1, 2],
    ["ancia", -1, 1],
    ["encia", -1, 1],
    ["ència", -1, 1],
    ["ícia", -1, 1],
    ["logia", -1, 3],
    ["inia", -1, 1],
    ["íinia", 9, 1],
    ["eria", -1, 1],
    ["ària", -1, 1],
    ["atòria", -1, 1],
    ["alla", -1, 1],
    ["ella", -1, 1],
    ["ívola", -1, 1],
    ["ima", -1, 1],
    ["íssima", 17, 1],
    ["quíssima", 18, 5],
    ["ana", -1, 1],
    ["ina", -1, 1],
    ["era", -1, 1],
    ["sfera", 22, 1],
    ["ora", -1, 1],
    ["dora", 24, 1],
    ["adora", 25, 1],
    ["adura", -1, 1],
    ["esa", -1, 1],
    ["osa", -1, 1],
    ["assa", -1, 1],
    ["essa", -1, 1],
    ["issa", -1, 1],
    ["eta", -1, 1],
    ["ita", -1, 1],
    ["ota", -1, 1],
    ["ista", -1, 1],
    ["ialista", 36, 1],
    ["ionista", 36, 1],
    ["iva", -1, 1],
    ["ativa", 39, 1],
    ["nça", -1, 1],
    ["logía", -1, 3],
    ["ic", -1, 4],
    ["ístic", 43, 1],
    ["enc", -1, 1],
    ["esc", -1, 1],
    ["ud", -1, 1],
    ["atge", -1, 1],
    ["ble", -1, 1],
    ["able", 49, 1],
    ["ible", 49, 1],
    ["isme", -1, 1],
    ["ialisme", 52, 1],
    ["ionisme", 52, 1],
    ["ivisme", 52, 1],
    ["aire", -1, 1],
    ["icte", -1, 1],
    ["iste", -1, 1],
    ["ici", -1, 1],
    ["íci", -1, 1],
    ["logi", -1, 3],
    ["ari", -1, 1],
    ["tori", -1, 1],
    ["al", -1, 1],
    ["il", -1, 1],
    ["all", -1, 1],
    ["ell", -1, 1],
    ["ívol", -1, 1],
    ["isam", -1, 1],
    ["issem", -1, 1],
    ["ìssem", -1, 1],
    ["íssem", -1, 1],
    ["íssim", -1, 1],
    ["quíssim", 73, 5],
    ["amen", -1, 1],
    ["ìssin", -1, 1],
    ["ar", -1, 1],
    ["ificar", 77, 1],
    ["egar", 77, 1],
    ["ejar", 77, 1],
    ["itar", 77, 1],
    ["itzar", 77, 1],
    ["fer", -1, 1],
    ["or", -1, 1],
    ["dor", 84, 1],
    ["dur", -1, 1],
    ["doras", -1, 1],
    ["ics", -1, 4],
    ["lógics", 88, 3],
    ["uds", -1, 1],
    ["nces", -1, 1],
    ["ades", -1, 2],
    ["ancies", -1, 1],
    ["encies", -1, 1],
    ["ències", -1, 1],
    ["ícies", -1, 1],
    ["logies", -1, 3],
    ["inies", -1, 1],
    ["ínies", -1, 1],
    ["eries", -1, 1],
    ["àries", -1, 1],
    ["atòries", -1, 1],
    ["bles", -1, 1],
    ["ables", 103, 1],
    ["ibles", 103, 1],
    ["imes", -1, 1],
    ["íssimes", 106, 1],
    ["quíssimes", 107, 5],
    ["formes", -1, 1],
    ["ismes", -1, 1],
    ["ialismes", 110, 1],
    ["ines", -1, 1],
    ["eres", -1, 1],
    ["ores", -1, 1],
    ["dores", 114, 1],
    ["idores", 115, 1],
    ["dures", -1, 1],
    ["eses", -1, 1],
    ["oses", -1, 1],
    ["asses", -1, 1],
    ["ictes", -1, 1],
    ["ites", -1, 1],
    ["otes", -1, 1],
    ["istes", -1, 1],
    ["ialistes", 124, 1],
    ["ionistes", 124, 1],
    ["iques", -1, 4],
    ["lógiques", 127, 3],
    ["ives", -1, 1],
    ["atives", 129, 1],
    ["logíes", -1, 3],
    ["allengües", -1, 1],
    ["icis", -1, 1],
    ["ícis", -1, 1],
    ["logis", -1, 3],
    ["aris", -1, 1],
    ["toris", -1, 1],
    ["ls", -1, 1],
    ["als", 138, 1],
    ["ells", 138, 1],
    ["ims", -1, 1],
    ["íssims", 141, 1],
    ["quíssims", 142, 5],
    ["ions", -1, 1],
    ["cions", 144, 1],
    ["acions", 145, 2],
    ["esos", -1, 1],
    ["osos", -1, 1],
    ["assos", -1, 1],
    ["issos", -1, 1],
    ["ers", -1, 1],
    ["ors", -1, 1],
    ["dors", 152, 1],
    ["adors", 153, 1],
    ["idors", 153, 1],
    ["ats", -1, 1],
    ["itats", 156, 1],
    ["bilitats", 157, 1],
    ["ivitats", 157, 1],
    ["ativitats", 159, 1],
    ["ïtats", 156, 1],
    ["ets", -1, 1],
    ["ants", -1, 1],
    ["ents", -1, 1],
    ["ments", 164, 1],
    ["aments", 165, 1],
    ["ots", -1, 1],
    ["uts", -1, 1],
    ["ius", -1, 1],
    ["trius", 169, 1],
    ["atius", 169, 1],
    ["ès", -1, 1],
    ["és", -1, 1],
    ["ís", -1, 1],
    ["dís", 174, 1],
    ["ós", -1, 1],
    ["itat", -1, 1],
    ["bilitat", 177, 1],
    ["ivitat", 177, 1],
    ["ativitat", 179, 1],
    ["ïtat", -1, 1],
    ["et", -1, 1],
    ["ant", -1, 1],
    ["ent", -1, 1],
    ["ient", 184, 1],
    ["ment", 184, 1],
    ["ament", 186, 1],
    ["isament", 187, 1],
    ["ot", -1, 1],
    ["isseu", -1, 1],
    ["ìsseu", -1, 1],
    ["ísseu", -1, 1],
    ["triu", -1, 1],
    ["íssiu", -1, 1],
    ["atiu", -1, 1],
    ["ó", -1, 1],
    ["ió", 196, 1],
    ["ció", 197, 1],
    ["ació", 198, 1],
  );
  a_3 = table(
    ["aba", -1, 1],
    ["esca", -1, 1],
    ["isca", -1, 1],
    ["ïsca", -1, 1],
    ["ada", -1, 1],
    ["ida", -1, 1],
    ["uda", -1, 1],
    ["ïda", -1, 1],
    ["ia", -1, 1],
    ["aria", 8, 1],
    ["iria", 8, 1],
    ["ara", -1, 1],
    ["iera", -1, 1],
    ["ira", -1, 1],
    ["adora", -1, 1],
    ["ïra", -1, 1],
    ["ava", -1, 1],
    ["ixa", -1, 1],
    ["itza", -1, 1],
    ["ía", -1, 1],
    ["aría", 19, 1],
    ["ería", 19, 1],
    ["iría", 19, 1],
    ["ïa", -1, 1],
    ["isc", -1, 1],
    ["ïsc", -1, 1],
    ["ad", -1, 1],
    ["ed", -1, 1],
    ["id", -1, 1],
    ["ie", -1, 1],
    ["re", -1, 1],
    ["dre", 30, 1],
    ["ase", -1, 1],
    ["iese", -1, 1],
    ["aste", -1, 1],
    ["iste", -1, 1],
    ["ii", -1, 1],
    ["ini", -1, 1],
    ["esqui", -1, 1],
    ["eixi", -1, 1],
    ["itzi", -1, 1],
    ["am", -1, 1],
    ["em", -1, 1],
    ["arem", 42, 1],
    ["irem", 42, 1],
    ["àrem", 42, 1],
    ["írem", 42, 1],
    ["àssem", 42, 1],
    ["éssem", 42, 1],
    ["iguem", 42, 1],
    ["ïguem", 42, 1],
    ["avem", 42, 1],
    ["àvem", 42, 1],
    ["ávem", 42, 1],
    ["irìem", 42, 1],
    ["íem", 42, 1],
    ["aríem", 55, 1],
    ["iríem", 55, 1],
    ["assim", -1, 1],
    ["essim", -1, 1],
    ["issim", -1, 1],
    ["àssim", -1, 1],
    ["èssim", -1, 1],
    ["éssim", -1, 1],
    ["íssim", -1, 1],
    ["ïm", -1, 1],
    ["an", -1, 1],
    ["aban", 66, 1],
    ["arian", 66, 1],
    ["aran", 66, 1],
    ["ieran", 66, 1],
    ["iran", 66, 1],
    ["ían", 66, 1],
    ["arían", 72, 1],
    ["erían", 72, 1],
    ["irían", 72, 1],
    ["en", -1, 1],
    ["ien", 76, 1],
    ["arien", 77, 1],
    ["irien", 77, 1],
    ["aren", 76, 1],
    ["eren", 76, 1],
    ["iren", 76, 1],
    ["àren", 76, 1],
    ["ïren", 76, 1],
    ["asen", 76, 1],
    ["iesen", 76, 1],
    ["assen", 76, 1],
    ["essen", 76, 1],
    ["issen", 76, 1],
    ["éssen", 76, 1],
    ["ïssen", 76, 1],
    ["esquen", 76, 1],
    ["isquen", 76, 1],
    ["ïsquen", 76, 1],
    ["aven", 76, 1],
    ["ixen", 76, 1],
    ["eixen", 96, 1],
    ["ïxen", 76, 1],
    ["ïen", 76, 1],
    ["in", -1, 1],
    ["inin", 100, 1],
    ["sin", 100, 1],
    ["isin", 102, 1],
    ["assin", 102, 1],
    ["essin", 102, 1],
    ["issin", 102, 1],
    ["ïssin", 102, 1],
    ["esquin", 100, 1],
    ["eixin", 100, 1],
    ["aron", -1, 1],
    ["ieron", -1, 1],
    ["arán", -1, 1],
    ["erán", -1, 1],
    ["irán", -1, 1],
    ["iïn", -1, 1],
    ["ado", -1, 1],
    ["ido", -1, 1],
    ["ando", -1, 2],
    ["iendo", -1, 1],
    ["io", -1, 1],
    ["ixo", -1, 1],
    ["eixo", 121, 1],
    ["ïxo", -1, 1],
    ["itzo", -1, 1],
    ["ar", -1, 1],
    ["tzar", 125, 1],
    ["er", -1, 1],
    ["eixer", 127, 1],
    ["ir", -1, 1],
    ["ador", -1, 1],
    ["as", -1, 1],
    ["abas", 131, 1],
    ["adas", 131, 1],
    ["idas", 131, 1],
    ["aras", 131, 1],
    ["ieras", 131, 1],
    ["ías", 131, 1],
    ["arías", 137, 1],
    ["erías", 137, 1],
    ["irías", 137, 1],
    ["ids", -1, 1],
    ["es", -1, 1],
    ["ades", 142, 1],
    ["ides", 142, 1],
    ["udes", 142, 1],
    ["ïdes", 142, 1],
    ["atges", 142, 1],
    ["ies", 142, 1],
    ["aries", 148, 1],
    ["iries", 148, 1],
    ["ares", 142, 1],
    ["ires", 142, 1],
    ["adores", 142, 1],
    ["ïres", 142, 1],
    ["ases", 142, 1],
    ["ieses", 142, 1],
    ["asses", 142, 1],
    ["esses", 142, 1],
    ["isses", 142, 1],
    ["ïsses", 142, 1],
    ["ques", 142, 1],
    ["esques", 161, 1],
    ["ïsques", 161, 1],
    ["aves", 142, 1],
    ["ixes", 142, 1],
    ["eixes", 165, 1],
    ["ïxes", 142, 1],
    ["ïes", 142, 1],
    ["abais", -1, 1],
    ["arais", -1, 1],
    ["ierais", -1, 1],
    ["íais", -1, 1],
    ["aríais", 172, 1],
    ["eríais", 172, 1],
    ["iríais", 172, 1],
    ["aseis", -1, 1],
    ["ieseis", -1, 1],
    ["asteis", -1, 1],
    ["isteis", -1, 1],
    ["inis", -1, 1],
    ["sis", -1, 1],
    ["isis", 181, 1],
    ["assis", 181, 1],
    ["essis", 181, 1],
    ["issis", 181, 1],
    ["ïssis", 181, 1],
    ["esquis", -1, 1],
    ["eixis", -1, 1],
    ["itzis", -1, 1],
    ["áis", -1, 1],
    ["aréis", -1, 1],
    ["eréis", -1, 1],
    ["iréis", -1, 1],
    ["ams", -1, 1],
    ["ados", -1, 1],
    ["idos", -1, 1],
    ["amos", -1, 1],
    ["ábamos", 197, 1],
    ["áramos", 197, 1],
    ["iéramos", 197, 1],
    ["íamos", 197, 1],
    ["aríamos", 201, 1],
    ["eríamos", 201, 1],
    ["iríamos", 201, 1],
    ["aremos", -1, 1],
    ["eremos", -1, 1],
    ["iremos", -1, 1],
    ["ásemos", -1, 1],
    ["iésemos", -1, 1],
    ["imos", -1, 1],
    ["adors", -1, 1],
    ["ass", -1, 1],
    ["erass", 212, 1],
    ["ess", -1, 1],
    ["ats", -1, 1],
    ["its", -1, 1],
    ["ents", -1, 1],
    ["às", -1, 1],
    ["aràs", 218, 1],
    ["iràs", 218, 1],
    ["arás", -1, 1],
    ["erás", -1, 1],
    ["irás", -1, 1],
    ["és", -1, 1],
    ["arés", 224, 1],
    ["ís", -1, 1],
    ["iïs", -1, 1],
    ["at", -1, 1],
    ["it", -1, 1],
    ["ant", -1, 1],
    ["ent", -1, 1],
    ["int", -1, 1],
    ["ut", -1, 1],
    ["ït", -1, 1],
    ["au", -1, 1],
    ["erau", 235, 1],
    ["ieu", -1, 1],
    ["ineu", -1, 1],
    ["areu", -1, 1],
    ["ireu", -1, 1],
    ["àreu", -1, 1],
    ["íreu", -1, 1],
    ["asseu", -1, 1],
    ["esseu", -1, 1],
    ["eresseu", 244, 1],
    ["àsseu", -1, 1],
    ["ésseu", -1, 1],
    ["igueu", -1, 1],
    ["ïgueu", -1, 1],
    ["àveu", -1, 1],
    ["áveu", -1, 1],
    ["itzeu", -1, 1],
    ["ìeu", -1, 1],
    ["irìeu", 253, 1],
    ["íeu", -1, 1],
    ["aríeu", 255, 1],
    ["iríeu", 255, 1],
    ["assiu", -1, 1],
    ["issiu", -1, 1],
    ["àssiu", -1, 1],
    ["èssiu", -1, 1],
    ["éssiu", -1, 1],
    ["íssiu", -1, 1],
    ["ïu", -1, 1],
    ["ix", -1, 1],
    ["eix", 265, 1],
    ["ïx", -1, 1],
    ["itz", -1, 1],
    ["ià", -1, 1],
    ["arà", -1, 1],
    ["irà", -1, 1],
    ["itzà", -1, 1],
    ["ará", -1, 1],
    ["erá", -1, 1],
    ["irá", -1, 1],
    ["irè", -1, 1],
    ["aré", -1, 1],
    ["eré", -1, 1],
    ["iré", -1, 1],
    ["í", -1, 1],
    ["iï", -1, 1],
    ["ió", -1, 1],
  );
  a_4 = table(
    ["a", -1, 1],
    ["e", -1, 1],
    ["i", -1, 1],
    ["ïn", -1, 1],
    ["o", -1, 1],
    ["ir", -1, 1],
    ["s", -1, 1],
    ["is", 6, 1],
    ["os", 6, 1],
    ["ïs", 6, 1],
    ["it", -1, 1],
    ["eu", -1, 1],
    ["iu", -1, 1],
    ["iqu", -1, 2],
    ["itz", -1, 1],
    ["à", -1, 1],
    ["á", -1, 1],
    ["é", -1, 1],
    ["ì", -1, 1],
    ["í", -1, 1],
    ["ï", -1, 1],
    ["ó", -1, 1],
  );
}

const program = new CatalanStemmer();

/** ISO 639-1 code. */
export const language = "ca";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
