// The distances of the point-cloud recognisers $P (Vatavu, Anthony and Wobbrock 2012) and $Q (Vatavu,
// Anthony and Wobbrock 2018), written from the pseudocode of the papers.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { POINTS = 32, CELLS = 64, STARTS = 7, STEP = 5 };

static float square(float value) { return value * value; }

// The sum of weighted distances of a greedy matching that begins at a point.
static float p_cloud_distance(const float *a, const float *b, int start) {
  uint8_t matched[POINTS] = {0};
  float sum = 0;
  for (int count = 0; count < POINTS; count++) {
    int i = (start + count) % POINTS, best = 0;
    float least = FLT_MAX;
    for (int j = 0; j < POINTS; j++) {
      if (matched[j]) continue;
      float distance = square(a[2 * i] - b[2 * j]) + square(a[2 * i + 1] - b[2 * j + 1]);
      if (distance < least) {
        least = distance;
        best = j;
      }
    }
    matched[best] = 1;
    sum += (1 - (float)count / POINTS) * sqrtf(least);
  }
  return sum;
}

// $P: the smaller of the distances in both directions, from every fifth point.
void p_distances(const float *query, const float *templates, int count, float *distances) {
  for (int each = 0; each < count; each++) {
    const float *other = templates + (size_t)each * 2 * POINTS;
    float least = FLT_MAX;
    for (int start = 0; start < POINTS; start += STEP) {
      least = fminf(least, p_cloud_distance(query, other, start));
      least = fminf(least, p_cloud_distance(other, query, start));
    }
    distances[each] = least;
  }
}

// The nearest point of a cloud for each cell of a grid. Coordinates are 0 to 1.
void q_table(const float *cloud, uint8_t *table) {
  for (int row = 0; row < CELLS; row++) {
    for (int column = 0; column < CELLS; column++) {
      float x = (column + 0.5f) / CELLS, y = (row + 0.5f) / CELLS, least = FLT_MAX;
      for (int i = 0; i < POINTS; i++) {
        float distance = square(cloud[2 * i] - x) + square(cloud[2 * i + 1] - y);
        if (distance < least) {
          least = distance;
          table[row * CELLS + column] = (uint8_t)i;
        }
      }
    }
  }
}

static int cell(float value) {
  int index = (int)(value * CELLS);
  return index < 0 ? 0 : index >= CELLS ? CELLS - 1 : index;
}

// The lower bounds of the distances from every fifth point. The table stands for the nearest point.
static void q_bounds(const float *a, const float *b, const uint8_t *table, float *bounds) {
  float sums[POINTS], sum = 0, first = 0;
  for (int i = 0; i < POINTS; i++) {
    int j = table[cell(a[2 * i + 1]) * CELLS + cell(a[2 * i])];
    float distance = square(a[2 * i] - b[2 * j]) + square(a[2 * i + 1] - b[2 * j + 1]);
    sum += distance;
    sums[i] = sum;
    first += (POINTS - i) * distance;
  }
  bounds[0] = first;
  for (int i = STEP, k = 1; i < POINTS; i += STEP, k++)
    bounds[k] = first + i * sum - POINTS * sums[i - 1];
}

static float q_cloud_distance(const float *a, const float *b, int start, float limit) {
  uint8_t unmatched[POINTS];
  for (int j = 0; j < POINTS; j++) unmatched[j] = (uint8_t)j;
  float sum = 0;
  for (int count = 0; count < POINTS; count++) {
    int i = (start + count) % POINTS, best = 0;
    float least = FLT_MAX;
    for (int place = 0; place < POINTS - count; place++) {
      int j = unmatched[place];
      float distance = square(a[2 * i] - b[2 * j]) + square(a[2 * i + 1] - b[2 * j + 1]);
      if (distance < least) {
        least = distance;
        best = place;
      }
    }
    unmatched[best] = unmatched[POINTS - count - 1];
    sum += (POINTS - count) * least;
    if (sum >= limit) return sum;
  }
  return sum;
}

// $Q: the index of the nearest template, with early abandoning; -1 if there is none.
int q_nearest(const float *query, const float *templates, const uint8_t *tables, int count,
              float *distance) {
  uint8_t own[CELLS * CELLS];
  q_table(query, own);
  float least = FLT_MAX;
  int nearest = -1;
  for (int each = 0; each < count; each++) {
    const float *other = templates + (size_t)each * 2 * POINTS;
    float forward[STARTS], backward[STARTS];
    q_bounds(query, other, tables + (size_t)each * CELLS * CELLS, forward);
    q_bounds(other, query, own, backward);
    for (int start = 0, k = 0; start < POINTS; start += STEP, k++) {
      float found = FLT_MAX;
      if (forward[k] < least) found = q_cloud_distance(query, other, start, least);
      if (backward[k] < fminf(least, found))
        found = fminf(found, q_cloud_distance(other, query, start, fminf(least, found)));
      if (found < least) {
        least = found;
        nearest = each;
      }
    }
  }
  *distance = least;
  return nearest;
}
